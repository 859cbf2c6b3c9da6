/* before.ts -- which games have a story before a match; the story itself is fetched when it is told. */
import { settings } from '../settings';

const GAMES_WITH_A_STORY = new Set(['marvelous-mashup']);

/** Tells the story of a game, if it has one and the person wants it. Resolves when the match may be asked for. */
export async function storyBefore(game: string | undefined): Promise<void> {
  if (!game || !GAMES_WITH_A_STORY.has(game) || !settings.intro.value) return;
  const { tellStory } = await import('./intro');
  await tellStory();
}
