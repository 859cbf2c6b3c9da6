/* before.ts -- the story that some games have before a match; it is fetched when it is shown. */
import { gamePage } from '../games';
import { kept, settings } from '../settings';

/** The games whose story was told on this device: each is told once. */
const told = kept<string[]>('stories', []);

/** Tells all stories once more, each before the next match of its game. */
export function tellStoriesAgain(): void {
  told.value = [];
}

/** Shows the story of a game, if it has one, the person wants it and has not heard it on this device. Resolves when the match may be
 * asked for. `end` ends it early. */
export async function storyBefore(game: string | undefined, end?: AbortSignal): Promise<void> {
  const load = game === undefined ? undefined : gamePage(game)?.story;
  if (!load || !game || !settings.intro.value || told.value.includes(game)) return;
  told.value = [...told.value, game];
  const [{ showStory }, { story }] = await Promise.all([import('./intro'), load()]);
  if (!end?.aborted) await showStory(story, end);
}
