/* kinds.ts -- the kinds of document that can be edited, as the games' folders list them (page.json, "editors"). Fields, limits and
 * meanings come from the shipped schemas, problems from the engine's loader. */
import editors from 'mashup:editors';
import type { EditorKind, Text } from '../games';
import { spoken } from '../texts/language';
import type { EditKey } from '../texts/edit';
import { layoutBoard, letterBoard, matrixBoard, unitBoard, type BoardPlan } from './boards';
import { evaluate, type Formula } from './formula';
import type { Schema } from './schema';
import { isObject, type Json, type JsonObject, type Path } from './value';
import type { GermanFields } from './words';

/** A bar of the balance chart: a number out of a row. */
export interface Measure {
  name: EditKey;
  of(row: JsonObject): number;
}

/** A kind of document. */
export interface Kind {
  /** Its place in addresses and in the browser's store. */
  id: string;
  game: string;
  /** How its files end. */
  ending: string;
  title: Text;
  schema: Schema;
  /** What its fields are called in German. */
  german: GermanFields;
  boards: BoardPlan[];
  /** Lists whose rows are compared in the balance chart. */
  charts: { path: Path; name: string; measures: Measure[] }[];
  /** The engine's generator of such documents; left out: there is none. */
  generator?: string;
  /** A file that comes with the game, to begin with. */
  first: string;
}

/** A board inside a document, as page.json describes it. */
function boardOf({ kind, path = [], kinds = '', paints = [] }: NonNullable<EditorKind['boards']>[number]): BoardPlan {
  if (kind === 'units') return unitBoard(kinds);
  if (kind === 'layout') return layoutBoard(path);
  const all = () => paints.map(({ mark, label, ...paint }) => ({ ...paint, label: spoken(label), mark: mark ?? { letter: paint.id.charAt(0) } }));
  return (kind === 'words' ? matrixBoard : letterBoard)(path, paints[0]?.id ?? '', all);
}

/** A board whose sides are as long as its schema allows; a board of another kind as it is. */
function withSides(plan: BoardPlan, schema: Schema): BoardPlan {
  const rows = plan.path.length === 1 ? schema.properties?.[String(plan.path[0])] : undefined;
  const { least, most } = plan.sides ?? { least: 1, most: 1 };
  if (!plan.sides || plan.keys[0] !== plan.path[0]) return plan;
  return { ...plan, sides: { least: Math.max(least, rows?.minItems ?? least), most: Math.min(most, rows?.maxItems ?? most) } };
}

/** All kinds, in the order of the list of new files. */
export const KINDS: Kind[] = editors.map(({ boards = [], charts = [], ...kind }) => ({
  ...kind,
  ending: `.${kind.id}.json`,
  boards: boards.map((board) => withSides(boardOf(board), kind.schema)),
  charts: charts.map(({ measures, ...chart }) => ({
    ...chart,
    measures: (Object.entries(measures) as ['damage' | 'tough' | 'reach', Formula][]).map(([name, formula]) => ({
      name: `edit.measure.${name}` as const,
      of: (row: JsonObject) => evaluate(formula, row),
    })),
  })),
}));

/** A kind by its id. */
export function kindOf(id: string): Kind | undefined {
  return KINDS.find((kind) => kind.id === id);
}

/** What a file is: by the ending of its name, else by the keys that it has, of several kinds the one that demands most of them; undefined:
 * like nothing that is known. */
export function recognise(name: string, value: Json | undefined): Kind | undefined {
  const byName = KINDS.find(({ ending }) => name.toLowerCase().endsWith(ending));
  if (byName || !isObject(value)) return byName;
  const keys = ({ schema }: Kind): string[] => schema.required ?? [];
  const fitting = KINDS.filter((kind) => keys(kind).every((key) => key in value));
  return fitting.sort((one, two) => keys(two).length - keys(one).length)[0];
}
