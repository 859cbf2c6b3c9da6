/* lexicon.ts -- the engine's words in the language of the page.
 *
 * The engine speaks English here: by its names the page knows what it draws. What it says is put into another language when it is
 * shown, with the same documents that would make the engine itself speak it (games/ID/content/*.texts.json): names by list, sentences
 * by taking them apart along the English template and filling the other one. What a document does not know is shown as it is. */
import { signal } from '@preact/signals';
import { allGames, sharedEngine } from '../engine/engine';
import { language, type Language } from './language';

/** A *.texts.json document. */
export interface Texts {
  events: Record<string, string>;
  names: Record<string, Record<string, string>>;
}

/** Lists of names in a texts document. */
export type NameList = 'kind' | 'ground' | 'meter' | 'phase' | 'verb' | 'ability' | 'item' | 'effect' | 'outcome' | 'reason' | 'figure' | 'side' | 'trait';

/** Reasons that every game has: documents may leave them out. */
const REASONS = {
  resigned: 'the loser resigned',
  agreed: 'both agreed on a draw',
  'time-over': "the loser's time ran out",
  left: 'the loser left the table',
  silent: 'the loser stopped answering',
  disqualified: 'the loser broke the rules of the table',
};

/** A sentence that can be taken apart, and what to fill its parts in. */
interface Pattern {
  read: RegExp;
  fields: string[];
  write: string;
}

const SLOT = /\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g;

/** What the value of a field looks like, if not like any words. */
const SHAPES: Record<string, string> = { amount: '(-?\\d+)', from: '(-?\\d+,-?\\d+)', to: '(-?\\d+,-?\\d+)', side: '([^()]+?)' };

/* "{unit} loses {amount} health[ to {other}]." as an expression, and which field each group is. */
function pattern(template: string, write: string): Pattern {
  const fields: string[] = [];
  const plain = (text: string) => text.replace(/[.*+?^$()|\\/]/g, '\\$&').replace(/\[/g, '(?:').replace(/\]/g, ')?');
  let read = '';
  let at = 0;
  for (const slot of template.matchAll(SLOT)) {
    const [all, field = '', one, several] = slot;
    read += plain(template.slice(at, slot.index));
    at = slot.index + all.length;
    if (one !== undefined && several !== undefined) read += `(?:${plain(one)}|${plain(several)})`;
    else {
      fields.push(field);
      read += template.startsWith('][', at) ? '(.+)' : (SHAPES[field] ?? '(.+?)');
    }
  }
  read += plain(template.slice(at));
  return { read: new RegExp(`^${read.replace(/\\\.$/, '\\.?')}$`), fields, write };
}

/** Words of all games, from English to another language. */
export class Lexicon {
  private readonly lists = new Map<string, Map<string, string>>();
  private readonly all = new Map<string, string>();
  /** By the kind of event; what says more comes first, since it fits less. */
  private readonly sentences = new Map<string, Pattern[]>();

  /** Takes the documents of one game in. */
  add(from: Texts, to: Texts): void {
    for (const [list, names] of Object.entries(from.names)) {
      const known = list === 'reason' ? { ...REASONS, ...names } : names;
      for (const [id, name] of Object.entries(known)) this.learn(list, name, to.names[list]?.[id]);
    }
    for (const [kind, template] of Object.entries(from.events)) {
      const write = to.events[kind];
      if (write === undefined) continue;
      const known = [...(this.sentences.get(kind) ?? []), pattern(template, write)];
      this.sentences.set(kind, known.sort((one, two) => two.read.source.length - one.read.source.length));
    }
  }

  /** Notes what a name is called in the other language; the first one known stays. */
  private learn(list: string, from: string, to: string | undefined): void {
    if (to === undefined) return;
    const names = this.lists.get(list) ?? new Map<string, string>();
    this.lists.set(list, names);
    if (!names.has(from)) names.set(from, to);
    if (!this.all.has(from)) this.all.set(from, to);
  }

  /** A name, as its own list has it, else as any has it, else unchanged. */
  word(list: NameList | null, name: string): string {
    return (list && this.lists.get(list)?.get(name)) ?? this.all.get(name) ?? name;
  }

  /** A unit as sentences call it: "Ninja 2 (Red)". */
  unit(name: string): string {
    const [, kind = name, number = '', side] = /^(.+?)( \d+)?(?: \(([^)]+)\))?$/.exec(name) ?? [];
    return this.word('kind', kind) + number + (side === undefined ? '' : ` (${this.word('side', side)})`);
  }

  /** A sentence about an event of a kind (null: of any), unchanged if it is not known. */
  sentence(kind: string | null, text: string): string {
    const patterns = kind === null ? [...this.sentences.values()].flat() : (this.sentences.get(kind) ?? []);
    for (const { read, fields, write } of patterns) {
      const found = read.exec(text);
      if (found) return this.fill(write, new Map(fields.map((field, at) => [field, found[at + 1] ?? ''])));
    }
    return text;
  }

  /** A sentence of the other language with the values of the English one. */
  private fill(template: string, values: Map<string, string>): string {
    const said = (field: string): string => {
      const value = values.get(field) ?? '';
      if (field === 'unit' || field === 'other') return value && this.unit(value);
      return field === 'what' ? this.word(null, value) : field === 'side' ? this.word('side', value) : value;
    };
    const slots = (part: string) =>
      part.replace(SLOT, (_, field: string, one?: string, several?: string) =>
        one === undefined || several === undefined ? said(field) : values.get(field) === '1' ? one : several);
    const whole = template.replace(/\[([^\]]*)\]/g, (_, part: string) =>
      [...part.matchAll(SLOT)].every(([, field]) => (values.get(field!) ?? '') !== '') ? part : '');
    return slots(whole).replace(/\.\.$/, '.');
  }
}

/** The documents of texts that come with every game, by language; English is what the engine speaks by itself. */
export const TEXTS_DOCUMENTS: Partial<Record<Language, string>> = { de: 'german.texts.json' };
const lexicon = signal<Lexicon | null>(null);
let loading: Language | null = null;

/* Fetches the documents of a language from the engine, once. */
async function load(wanted: Language, document: string): Promise<void> {
  loading = wanted;
  const made = new Lexicon();
  const read = async (game: string, name: string) => JSON.parse(await sharedEngine().call('document', { game, name })) as Texts;
  for (const { id } of await allGames())
    made.add(await read(id, 'english.texts.json'), await read(id, document));
  lexicon.value = made;
}

/* The words of the language of the page; null: the engine's own. */
function now(): Lexicon | null {
  const document = TEXTS_DOCUMENTS[language.value];
  if (!document) return null;
  if (loading !== language.value && typeof Worker !== 'undefined')
    load(language.value, document).catch(() => { loading = null; });
  return lexicon.value;
}

/** A name of the engine, in the language of the page. */
export function word(list: NameList | null, name: string): string {
  return now()?.word(list, name) ?? name;
}

/** A unit as it is called in English ("Ninja 2"), in the language of the page. */
export function unitWord(name: string): string {
  return now()?.unit(name) ?? name;
}

/** A sentence of the engine about an event of a kind, in the language of the page. */
export function told(kind: string | null, text: string): string {
  return now()?.sentence(kind, text) ?? text;
}
