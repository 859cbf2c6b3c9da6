/* notes.ts -- what the notes of a replay say about themselves, in every language that the page speaks. {0}, {1} are filled in. */
import { language } from './language';

const texts = {
  here: { en: 'Note at this moment', de: 'Notiz zu diesem Moment' },
  how: {
    en: 'Right-click a cell to mark it, drag with the right button for an arrow; Shift, Ctrl and Alt change the colour, the same again erases. By keyboard: {0} marks the cell, {1} starts and ends an arrow.',
    de: 'Ein Rechtsklick markiert ein Feld, Ziehen mit der rechten Taste zeichnet einen Pfeil; Umschalt, Strg und Alt ändern die Farbe, noch einmal dasselbe löscht. Mit der Tastatur: {0} markiert das Feld, {1} beginnt und beendet einen Pfeil.',
  },
  points: { en: 'Marks and arrows', de: 'Markierungen und Pfeile' },
  drop: { en: 'Remove {0}', de: '{0} entfernen' },
  cell: { en: 'cell {0}', de: 'Feld {0}' },
  arrow: { en: 'arrow {0}', de: 'Pfeil {0}' },
  all: { en: 'All notes', de: 'Alle Notizen' },
  none: { en: 'No notes yet.', de: 'Noch keine Notizen.' },
  goTo: { en: 'Action {0}: {1}', de: 'Aktion {0}: {1}' },
  only: { en: 'only marks', de: 'nur Markierungen' },
  file: { en: 'Save match with notes', de: 'Partie mit Notizen speichern' },
  link: { en: 'Copy link with notes', de: 'Link mit Notizen kopieren' },
  copied: { en: 'Copied.', de: 'Kopiert.' },
  tooLong: { en: 'Too much for a link: save the match instead.', de: 'Zu viel für einen Link: Speichere stattdessen die Partie.' },
} as const;

/** A text of the notes in the language that is spoken. */
export function noteText(name: keyof typeof texts, ...values: (string | number)[]): string {
  return texts[name][language.value].replace(/\{(\d)\}/g, (_, index: string) => String(values[Number(index)] ?? ''));
}
