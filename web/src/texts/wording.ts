/* wording.ts -- words for what the engine lists before a match: options and boards as the game's folder calls them (page.json), levels.
 * What is not listed is shown as the engine calls it. */
import { gamePage } from '../games';
import type { Option } from '../model';
import { language, type Language } from './language';

/* The levels of the programs: title and what each does. */
const levels: Partial<Record<Language, [string, string][]>> = {
  de: [
    ['Page', 'Spielt zufällig.'],
    ['Knappe', 'Anfänger: übersieht das meiste, was es tun könnte.'],
    ['Wache', 'Übersieht viel und denkt nicht an deine Antwort.'],
    ['Fechter', 'Übersieht manches und denkt nicht an deine Antwort.'],
    ['Ritter', 'Rechnet mit deiner Antwort, ist aber manchmal unachtsam.'],
    ['Hauptmann', 'Schaut weiter voraus, seltener unachtsam.'],
    ['Marschall', 'Schaut weit voraus, noch seltener unachtsam.'],
    ['Legende', 'Schaut sehr weit voraus. Nie unachtsam.'],
    ['Großmeister', 'Spielt wie Stufe 8, denkt aber viel länger nach.'],
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
  const own = gamePage(game)?.options?.[option.id];
  const read = readTitle(option);
  const now = language.value;
  return {
    label: own?.label[now] ?? read?.label ?? option.title,
    values: own?.values?.map((words, at) => words[now] ?? read?.values[at] ?? String(at)) ?? read?.values ?? [],
    about: own?.about?.[now] ?? '',
  };
}

/** The title of a board or set of documents that comes with a game; sizes as people write them, not as one types them. */
export function presetWords(game: string, { id, title }: { id: string; title: string }): string {
  return (gamePage(game)?.presets?.[id]?.[language.value] ?? title).replace(/(\d) ?x ?(\d)/g, '$1 × $2');
}
