/* kinds.ts -- the kinds of document that can be edited: one row each. Fields, limits and meanings come from the shipped schemas,
 * problems from the engine's loader; here stands only how a kind is shown. */
import warriorsSchema from '../../../games/battleground/content/warriors.schema.json';
import fieldSchema from '../../../games/battleground/content/field.schema.json';
import piecesSchema from '../../../games/generals/content/pieces.schema.json';
import characterSchema from '../../../games/marvelous-mashup/content/character.schema.json';
import gameSchema from '../../../games/marvelous-mashup/content/game.schema.json';
import scenarioSchema from '../../../games/marvelous-mashup/content/scenario.schema.json';
import championsSchema from '../../../games/ultimate-war/content/champions.schema.json';
import startSchema from '../../../games/zorde/content/start.schema.json';
import unitsSchema from '../../../games/zorde/content/units.schema.json';
import type { TextKey } from '../texts/texts';
import { layoutBoard, letterBoard, matrixBoard, unitBoard, type BoardPlan } from './boards';
import type { Schema } from './schema';
import { isObject, type Json, type JsonObject, type Path } from './value';

/** A bar of the balance chart: a number out of a row. */
export interface Measure {
  name: TextKey;
  of(row: JsonObject): number;
}

/** A kind of document. */
export interface Kind {
  /** Its place in addresses and in the browser's store. */
  id: string;
  game: string;
  /** How its files end. */
  ending: string;
  title: TextKey;
  schema: Schema;
  boards: BoardPlan[];
  /** Lists whose rows are compared in the balance chart. */
  charts: { path: Path; name: string; measures: Measure[] }[];
  /** The engine's generator of such documents; left out: there is none. */
  generator?: string;
  /** A file that comes with the game, to begin with. */
  first: string;
}

/** The value as a number; 0 for anything else. */
const number = (value: Json | undefined): number => (typeof value === 'number' ? value : 0);
/** The value of a key; undefined if it is no object. */
const inside = (value: Json | undefined, key: string): Json | undefined => (isObject(value) ? value[key] : undefined);
/** The greatest damage of a champion's abilities, for the overview. */
const abilityDamage = (row: JsonObject): number =>
  Array.isArray(row.abilities) ? Math.max(0, ...row.abilities.map((ability) => number(inside(ability, 'damage')))) : 0;

/** All kinds, in the order of the list of new files. */
export const KINDS: Kind[] = [
  {
    id: 'scenario', game: 'marvelous-mashup', ending: '.scenario.json', title: 'edit.kind.scenario', schema: scenarioSchema as Schema,
    boards: [matrixBoard(['scenario'], ['GRASS', 'ROCK', 'PORTAL'])], charts: [], generator: 'scenario', first: 'wakanda.scenario.json',
  },
  {
    id: 'character', game: 'marvelous-mashup', ending: '.character.json', title: 'edit.kind.character', schema: characterSchema as Schema,
    boards: [], generator: 'characters', first: 'heroes.character.json',
    charts: [{
      path: ['characters'], name: 'name', measures: [
        { name: 'edit.measure.damage', of: (row) => number(row.AP) * Math.max(number(row.meleeDamage), number(row.rangeCombatDamage)) },
        { name: 'edit.measure.tough', of: (row) => number(row.HP) },
        { name: 'edit.measure.reach', of: (row) => number(row.MP) + number(row.rangeCombatReach) },
      ],
    }],
  },
  {
    id: 'game', game: 'marvelous-mashup', ending: '.game.json', title: 'edit.kind.game', schema: gameSchema as Schema,
    boards: [], charts: [], generator: 'match', first: 'standard.game.json',
  },
  {
    id: 'champions', game: 'ultimate-war', ending: '.champions.json', title: 'edit.kind.champions', schema: championsSchema as Schema,
    boards: [], first: 'ultimate-war.champions.json',
    charts: [{
      path: ['champions'], name: 'name', measures: [
        { name: 'edit.measure.damage', of: (row) => Math.max(Math.floor(number(row.points) / 2) * number(row.damage), abilityDamage(row)) },
        { name: 'edit.measure.tough', of: (row) => number(row.health) },
        { name: 'edit.measure.reach', of: (row) => number(row.range) },
      ],
    }],
  },
  {
    id: 'warriors', game: 'battleground', ending: '.warriors.json', title: 'edit.kind.warriors', schema: warriorsSchema as Schema,
    boards: [], first: 'battleground.warriors.json',
    charts: [{
      path: ['warriors'], name: 'id', measures: [
        { name: 'edit.measure.damage', of: (row) => number(row.attack) },
        { name: 'edit.measure.tough', of: (row) => number(row.health) },
        { name: 'edit.measure.reach', of: (row) => number(row.walk) },
      ],
    }],
  },
  {
    id: 'field', game: 'battleground', ending: '.field.json', title: 'edit.kind.field', schema: fieldSchema as Schema,
    boards: [letterBoard(['rows'], ['.', '#'])], charts: [], first: 'original.field.json',
  },
  {
    id: 'units', game: 'zorde', ending: '.units.json', title: 'edit.kind.units', schema: unitsSchema as Schema,
    boards: [], first: 'zorde.units.json',
    charts: [{
      path: ['kinds'], name: 'id', measures: [
        { name: 'edit.measure.damage', of: (row) => number(row.attack) * (row.attacks === 'each-step' ? number(row.steps) : 1) },
        { name: 'edit.measure.tough', of: (row) => number(row.health) },
        { name: 'edit.measure.reach', of: (row) => number(row.steps) + number(inside(row.ranged, 'range')) },
      ],
    }],
  },
  {
    id: 'start', game: 'zorde', ending: '.start.json', title: 'edit.kind.start', schema: startSchema as Schema,
    boards: [unitBoard('.units.json')], charts: [], first: 'duel.start.json',
  },
  {
    id: 'pieces', game: 'generals', ending: '.pieces.json', title: 'edit.kind.pieces', schema: piecesSchema as Schema,
    boards: [layoutBoard(['armies', 0]), layoutBoard(['armies', 1])], charts: [], first: 'generals.pieces.json',
  },
];

/** A kind by its id. */
export function kindOf(id: string): Kind | undefined {
  return KINDS.find((kind) => kind.id === id);
}

/** What a file is: by the ending of its name, else by the keys that it has; undefined: like nothing that is known. */
export function recognise(name: string, value: Json | undefined): Kind | undefined {
  const byName = KINDS.find(({ ending }) => name.toLowerCase().endsWith(ending));
  if (byName || !isObject(value)) return byName;
  return KINDS.find(({ schema }) => (schema.required ?? []).every((key) => key in value));
}
