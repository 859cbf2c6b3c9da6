/* before.ts -- the story that some games have before a match; it is fetched when it is shown. */
import { gamePage } from '../games';
import { settings } from '../settings';

/** Shows the story of a game, if it has one and the person wants it. Resolves when the match may be asked for. */
export async function storyBefore(game: string | undefined): Promise<void> {
  const load = game === undefined ? undefined : gamePage(game)?.story;
  if (!load || !settings.intro.value) return;
  const [{ showStory }, { story }] = await Promise.all([import('./intro'), load()]);
  await showStory(story);
}
