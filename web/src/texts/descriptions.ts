/* descriptions.ts -- what kinds, abilities, items, effects and types are, in sentences of the engine with the figures of the content, in
 * the language of the page. Each content is asked about once for each language; until the answer is there nothing is told. */
import { signal, type Signal } from '@preact/signals';
import type { ContentRequest, DescribedList, Descriptions } from '../engine/calls';
import { sharedEngine } from '../engine/engine';
import { language } from './language';

const known = new Map<string, Signal<Descriptions | null>>();

/* What a content describes, as soon as the engine has told it. */
function descriptionsOf(content: ContentRequest): Descriptions | null {
  const key = JSON.stringify([language.value, content]);
  let found = known.get(key);
  if (!found) {
    const made = signal<Descriptions | null>(null);
    found = made;
    known.set(key, made);
    if (typeof Worker !== 'undefined')
      sharedEngine()
        .call('describe', content)
        .then(
          (all) => {
            made.value = all;
          },
          () => known.delete(key),
        );
  }
  return found.value;
}

/** What is told about an entry of a list, by its number or id; '' = nothing, or not yet. */
export function described(content: ContentRequest, list: DescribedList, entry: number | string | undefined): string {
  return (entry !== undefined && descriptionsOf(content)?.[list][entry]) || '';
}

/** What is told about something on offer by its id: a kind or an item. */
export function describedThing(content: ContentRequest, id: string): string {
  return described(content, 'item', id) || described(content, 'kind', id);
}

/** What is told about a way of acting: the item or ability that is used, or the one that the verb is named for. */
export function describedAction(content: ContentRequest, { verb, thing, sent }: { verb: string; thing: string; sent: { ability: number } }): string {
  if (thing === '') return described(content, 'ability', verb);
  return described(content, 'item', thing) || described(content, 'ability', sent.ability);
}
