/* refusals.ts -- why a unit cannot go to a cell, by the ids of the engine's answers (include/mashup.h). */
import { spoken } from './language';

const refusals: Record<string, { en: string; de: string }> = {
  'cell-taken': { en: 'That cell is occupied.', de: 'Dieses Feld ist besetzt.' },
  'cell-blocked': { en: 'That cell can\'t be entered.', de: 'Dieses Feld lässt sich nicht betreten.' },
  'too-far': { en: 'That is too far away for this unit now.', de: 'Das ist für diese Figur jetzt zu weit.' },
  'not-a-step': { en: 'That is too far away for this unit now.', de: 'Das ist für diese Figur jetzt zu weit.' },
  'no-way': { en: 'There is no path to that cell.', de: 'Zu diesem Feld führt kein Weg.' },
  'no-points': { en: 'This unit doesn\'t have enough points left.', de: 'Diese Figur hat nicht mehr genug Punkte.' },
  'already-moved': { en: 'This unit has already moved.', de: 'Diese Figur ist schon gezogen.' },
  'cannot-move': { en: 'This unit can\'t move.', de: 'Diese Figur kann nicht ziehen.' },
  rooted: { en: 'A rooted unit can\'t move.', de: 'Eine verwurzelte Figur kann nicht ziehen.' },
  'unit-busy': { en: 'Another unit must finish its move first.', de: 'Erst muss eine andere Figur ihren Zug beenden.' },
  'not-now': { en: 'Units don\'t move in this phase.', de: 'In dieser Phase zieht niemand.' },
  'own-side': { en: 'One of your own units is there.', de: 'Dort steht eine eigene Figur.' },
  'out-of-zone': { en: 'That cell is outside your zone.', de: 'Dieses Feld liegt außerhalb deiner Zone.' },
};

/** The sentence of a refusal; null: there is none of its own. */
export function refusal(id: string): string | null {
  const text = refusals[id];
  return text ? spoken(text) : null;
}
