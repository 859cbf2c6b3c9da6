/* stats.ts -- what the page of statistics says, in every language that the page speaks. {0}, {1} are filled in. */
import { language } from './language';

const texts = {
  title: { en: 'Statistics', de: 'Statistik' },
  about: {
    en: 'What is chosen and what wins, from the newest {0} finished matches. Shares have their 95 % interval; a draw counts half.',
    de: 'Was gewählt wird und was gewinnt, aus den neuesten {0} beendeten Partien. Anteile haben ihr 95-%-Intervall; ein Remis zählt halb.',
  },
  game: { en: 'Game', de: 'Spiel' },
  source: { en: 'Matches', de: 'Partien' },
  server: { en: 'of this server', de: 'dieses Servers' },
  mine: { en: 'of this device', de: 'dieses Geräts' },
  who: { en: 'Played by', de: 'Gespielt von' },
  everybody: { en: 'everybody', de: 'allen' },
  level: { en: 'computer, level {0}', de: 'Computer, Stufe {0}' },
  'below-1400': { en: 'rating below 1400', de: 'Wertung unter 1400' },
  '1400-1600': { en: 'rating 1400 to 1600', de: 'Wertung 1400 bis 1600' },
  'above-1600': { en: 'rating above 1600', de: 'Wertung über 1600' },
  guest: { en: 'players without a rating', de: 'Spielern ohne Wertung' },
  count: { en: 'Count', de: 'Auszählen' },
  cancel: { en: 'Cancel', de: 'Abbrechen' },
  progress: { en: '{0} of {1} matches', de: '{0} von {1} Partien' },
  none: { en: 'There are no finished matches of this game yet.', de: 'Von diesem Spiel gibt es noch keine beendeten Partien.' },
  all: { en: '{0} matches; the first side wins {1}; drawn: {2}; mean length: {3} actions.', de: '{0} Partien; die erste Seite gewinnt {1}; Remis: {2}; mittlere Länge: {3} Aktionen.' },
  to: { en: 'to', de: 'bis' },
  choices: { en: 'Chosen', de: 'Gewählt' },
  firstTurns: { en: 'First turns', de: 'Erste Züge' },
  name: { en: 'What', de: 'Was' },
  matches: { en: 'Matches', de: 'Partien' },
  share: { en: 'Points', de: 'Punkte' },
  ratings: { en: 'Ratings are those of today.', de: 'Wertungen sind die von heute.' },
} as const;

/** A text of the statistics in the language that is spoken. */
export function statsText(name: keyof typeof texts, ...values: (string | number)[]): string {
  return texts[name][language.value].replace(/\{(\d)\}/g, (_, index: string) => String(values[Number(index)] ?? ''));
}
