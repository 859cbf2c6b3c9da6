/* wording.ts -- words for what the engine lists before a match: options, boards, levels; by game and id. What is not listed here is
 * shown as the engine calls it. */
import type { Option } from '../model';
import { language, type Language } from './language';

/** One text; a language that is left out says it as the engine does. */
type Words = Partial<Record<Language, string>>;

/** How a rule variant is called, and its values. */
interface OptionWords {
  label: Words;
  /** A name for each value, from the least on; left out: a switch or a number. */
  values?: Words[];
  /** What the choice means. */
  about?: Words;
}

const options: Record<string, Record<string, OptionWords>> = {
  'marvelous-mashup': {
    rules: {
      label: { en: 'Thanos and the stones', de: 'Thanos und die Steine' },
      values: [
        { en: 'usual: Thanos ends the match', de: 'üblich: Thanos beendet die Partie' },
        { en: 'grim: Thanos snaps his fingers', de: 'finster: Thanos schnippt' },
      ],
      about: {
        en: 'Usual: the match ends when Thanos holds all six stones, and stones are handed to your own side only. Grim: Thanos then snaps until nobody is left, stones can be handed to enemies too, and Stan Lee comes at the start of round 7, not at its end.',
        de: 'Üblich: Die Partie endet, wenn Thanos alle sechs Steine hat; Steine gehen nur an die eigene Seite. Finster: Thanos schnippt dann, bis niemand mehr da ist, Steine gehen auch an Gegner, und Stan Lee kommt am Anfang von Runde 7 statt am Ende.',
      },
    },
  },
  generals: {
    open: { label: { en: 'Both sides see all ranks', de: 'Beide Seiten sehen alle Ränge' } },
    thanos: {
      label: { en: 'When Thanos snaps, he takes', de: 'Wenn Thanos schnippt, nimmt er' },
      values: [
        { en: 'half of all pieces', de: 'die Hälfte aller Figuren' },
        { en: 'half of the enemy’s pieces', de: 'die Hälfte der gegnerischen Figuren' },
        { en: 'all pieces on the far half of the board', de: 'alle Figuren auf der fernen Hälfte des Felds' },
      ],
    },
    watchers: { label: { en: 'Watchers see all ranks', de: 'Wer zuschaut, sieht alle Ränge' } },
  },
  battleground: {
    dino: { label: { de: 'Der Dino darf gewählt werden' } },
    'friendly-fire': { label: { de: 'Krieger dürfen die eigene Seite schlagen' } },
    blind: { label: { de: 'Krieger bleiben bis zum Rufen verborgen, Tränke bis zum Gebrauch' } },
    'second-summons-two': { label: { de: 'Die zweite Seite ruft zu Beginn zwei Krieger' } },
    'must-summon': {
      label: { de: 'Wer niemanden auf dem Feld hat, muss rufen' },
      values: [{ en: 'no', de: 'nein' }, { en: 'yes', de: 'ja' }, { en: 'by the field', de: 'wie das Feld es sagt' }],
    },
    'two-of-a-kind': { label: { de: 'Höchstens zwei Krieger einer Art' } },
  },
  'ultimate-war': {
    dealt: { label: { de: 'Die Teams werden ausgelost statt gewählt' } },
  },
};

const presets: Record<string, Record<string, Words>> = {
  'marvelous-mashup': {
    wakanda: { de: 'Wakanda, 10 x 10, zwei Portale' },
    quick: { de: 'Wakanda, Thanos kommt in Runde 10' },
    'starter-kit': { de: 'Die Helden des Starterpakets auf seinem Asgard, 7 x 6' },
    'asgard-portals': { de: 'Asgard, 7 x 6, drei Portale' },
    'darkdimension-portals': { de: 'Dark Dimension, 5 x 12, drei Portale' },
    'avengerstower-portals': { de: 'Avengers Tower, 5 x 18, vier Portale' },
    knowhere: { de: 'Knowhere, 12 x 16, zwei Portale' },
    sakaar: { de: 'Sakaar, 20 x 20, acht Portale' },
    'savage-land': { de: 'Savage Land, 32 x 32, sechs Portale' },
  },
  generals: { printed: { de: 'Die gedruckten Armeen' } },
  battleground: {
    open: { de: 'Freies Feld, 10 x 8' },
    small: { de: 'Freies Feld, 8 x 8; die erste Seite ist etwas im Vorteil' },
    ruins: { de: 'Ruinen, 12 x 10' },
    original: { de: 'Die ursprüngliche Karte und Regeln, 82 x 64' },
  },
  'ultimate-war': { usual: { de: 'Fünfzehn Champions' } },
  zorde: {
    skirmish: { de: 'Scharmützel: eins von jeder Art, 6x6; Zorde ist im Vorteil' },
    'even-skirmish': { de: 'Ausgeglichenes Scharmützel: vier gegen drei, 9x9' },
    battle: { de: 'Schlacht: vier gegen vier, 10x10; Zorde ist im Vorteil' },
    'close-battle': { de: 'Knappe Schlacht: fünf gegen vier, 10x10; Calliance ist etwas im Vorteil' },
    duel: { de: 'Übung: ein Mensch gegen einen Troll, 5x5; Zorde ist weit im Vorteil' },
    border: { de: 'Grenze: Zwerg und Mensch gegen zwei Trolle, 5x5; Calliance ist im Vorteil' },
  },
};

/* The levels of the programs: title and what each does. */
const levels: Partial<Record<Language, [string, string][]>> = {
  de: [
    ['Page', 'Tut, was ihm gerade einfällt.'],
    ['Knappe', 'Denkt jeden vierten Zug durch.'],
    ['Wache', 'Denkt jeden zweiten Zug durch.'],
    ['Fechter', 'Denkt die meisten Züge durch.'],
    ['Ritter', 'Schaut, was du als Nächstes tun kannst.'],
    ['Hauptmann', 'Schaut weiter voraus.'],
    ['Marschall', 'Schaut weit voraus.'],
    ['Legende', 'Schaut so weit voraus, wie es geht.'],
  ],
};

/** A level of the programs in words. */
export function levelWords<T extends { level: number; title: string; about: string }>(row: T): T {
  const [title, about] = levels[language.value]?.[row.level - 1] ?? [row.title, row.about];
  return { ...row, title, about };
}

/* The values of an option whose title names them, as "Thanos takes 0: half of all, 1: ...": what comes before, and a name for each. */
function readTitle({ title, least, most }: Option): { label: string; values: string[] } | null {
  const found = [...title.matchAll(/(\d+)\s*[:=]\s*([^,]+)/g)].map((value) => value[2]!.trim());
  if (found.length !== most - least + 1) return null;
  return { label: title.slice(0, title.search(/\d/)).replace(/[\s:]+$/, ''), values: found };
}

/** An option in words: its label, a name for each value from the least on (none: a switch or a number), what it means. */
export function optionWords(game: string, option: Option): { label: string; values: string[]; about: string } {
  const own = options[game]?.[option.id];
  const read = readTitle(option);
  const now = language.value;
  return {
    label: own?.label[now] ?? read?.label ?? option.title,
    values: own?.values?.map((words, at) => words[now] ?? read?.values[at] ?? String(at)) ?? read?.values ?? [],
    about: own?.about?.[now] ?? '',
  };
}

/** The title of a board or set of documents that comes with a game. */
export function presetWords(game: string, { id, title }: { id: string; title: string }): string {
  return presets[game]?.[id]?.[language.value] ?? title;
}
