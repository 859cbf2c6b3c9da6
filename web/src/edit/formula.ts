/* formula.ts -- numbers worked out of a row of a document, written as data: ["*", "attack", ["max", "steps", 2]]. */
import { isObject, type Json, type JsonObject } from './value';

/** A number, a key of the row ("a.b" looks inside), or an operator with its operands; ["if", key, value, then, else] compares. */
export type Formula = number | string | [string, ...Formula[]];

/** The number at a key; of a list the greatest counts, anything else is 0. */
function lookUp(value: Json | undefined, keys: string[]): number {
  if (Array.isArray(value)) return Math.max(0, ...value.map((one) => lookUp(one, keys)));
  const [key, ...rest] = keys;
  if (key === undefined) return typeof value === 'number' ? value : 0;
  return isObject(value) ? lookUp(value[key], rest) : 0;
}

/** Works a formula out for a row. */
export function evaluate(formula: Formula, row: JsonObject): number {
  if (typeof formula === 'number') return formula;
  if (typeof formula === 'string') return lookUp(row, formula.split('.'));
  const [operator, ...operands] = formula;
  if (operator === 'if') {
    const [key, value, then, other] = operands as [string, Formula, Formula, Formula];
    return evaluate(row[key] === value ? then : other, row);
  }
  const numbers = operands.map((one) => evaluate(one, row));
  if (operator === 'max') return Math.max(...numbers);
  if (operator === 'floor') return Math.floor(numbers[0] ?? 0);
  return numbers.reduce((one, two) => (operator === '*' ? one * two : operator === '/' ? one / two : one + two));
}
