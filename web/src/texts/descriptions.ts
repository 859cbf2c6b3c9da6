/* descriptions.ts -- what abilities, effects and types are, in sentences of the engine with the figures of the content, in the
 * language of the page.
 *
 * A content is loaded once for each language, with that language's texts in place of its own; until it is there nothing is told. */
import { signal, type Signal } from '@preact/signals';
import type { ContentRequest, DescribedList, Descriptions } from '../engine/calls';
import { sharedEngine } from '../engine/engine';
import { language } from './language';
import { TEXTS_DOCUMENTS } from './lexicon';

const known = new Map<string, Signal<Descriptions | null>>();

/* The content with the texts of the page's language; English speaks as the content does. */
function inLanguage(content: ContentRequest): ContentRequest {
  const document = TEXTS_DOCUMENTS[language.value];
  if (!document) return content;
  const others = (content.documents ?? []).filter(({ name }) => !name.endsWith('.texts.json'));
  return { ...content, documents: [...others, { name: document }] };
}

/* What a content describes, as soon as the engine has told it. */
function descriptionsOf(content: ContentRequest): Descriptions | null {
  const wish = inLanguage(content);
  const key = JSON.stringify(wish);
  let found = known.get(key);
  if (!found) {
    const made = signal<Descriptions | null>(null);
    found = made;
    known.set(key, made);
    if (typeof Worker !== 'undefined')
      sharedEngine()
        .call('describe', wish)
        .then(
          (all) => {
            made.value = all;
          },
          () => known.delete(key),
        );
  }
  return found.value;
}

/** What is told about entry `index` of a list; '' = nothing, or not yet. */
export function described(content: ContentRequest, list: DescribedList, index: number | undefined): string {
  return (index !== undefined && descriptionsOf(content)?.[list][index]) || '';
}
