/* schema.ts -- what the JSON schemas, which the engine prints, say about a field: its kind, limits and meaning.
 *
 * Only what forms need is read here. Whether a document is right, the engine's loader says. */
import { isObject, type Json, type JsonObject, type Path } from './value';

/** A schema or a part of one, as far as forms look at it. */
export interface Schema {
  title?: string;
  description?: string;
  type?: string;
  enum?: string[];
  const?: Json;
  default?: Json;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  examples?: string[];
}

/** What kind of field it is. */
export function typeOf(schema: Schema): 'object' | 'array' | 'integer' | 'boolean' | 'choice' | 'string' {
  if (schema.enum) return 'choice';
  switch (schema.type) {
    case 'object': case 'array': case 'integer': case 'boolean': return schema.type;
    default: return 'string';
  }
}

/** A value to begin with: the least that the schema allows. */
export function blank(schema: Schema): Json {
  if (schema.default !== undefined) return schema.default;
  switch (typeOf(schema)) {
    case 'object':
      return Object.fromEntries((schema.required ?? []).map((key) => [key, blank(schema.properties?.[key] ?? {})]));
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => blank(schema.items ?? {}));
    case 'integer': return Math.max(schema.minimum ?? 0, Math.min(schema.maximum ?? 0, 1));
    case 'boolean': return false;
    case 'choice': return schema.enum![0]!;
    case 'string': return schema.examples?.[0] ?? 'new';
  }
}

/** Ways to all keys that the schema does not know. */
export function unknownKeys(schema: Schema, value: Json | undefined, path: Path = []): Path[] {
  if (Array.isArray(value) && schema.items)
    return value.flatMap((item, i) => unknownKeys(schema.items!, item, [...path, i]));
  if (!isObject(value) || !schema.properties) return [];
  return Object.keys(value).flatMap((key) => {
    const known = schema.properties![key];
    return known ? unknownKeys(known, value[key], [...path, key]) : [[...path, key]];
  });
}

/** Random values for the numbers of a row, between the least and the most that the other rows have, inside the limits. */
export function randomRow(schema: Schema, row: JsonObject, rows: JsonObject[], random: () => number): JsonObject {
  const made: JsonObject = { ...row };
  for (const [key, field] of Object.entries(schema.properties ?? {})) {
    if (typeOf(field) !== 'integer' || typeof row[key] !== 'number' || /id$/i.test(key)) continue;
    const seen = rows.map((other) => other[key]).filter((n): n is number => typeof n === 'number');
    const least = Math.max(field.minimum ?? 0, Math.min(...seen));
    const most = Math.min(field.maximum ?? 9999, Math.max(...seen));
    made[key] = least + Math.floor(random() * (most - least + 1));
  }
  return made;
}
