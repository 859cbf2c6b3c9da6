/* pictures.tsx -- the picture of a game on its card. */
import { cardPicture } from '../art/cards';

/** A picture of the game; it says nothing that the title beside it does not. */
export function GamePicture({ game }: { game: string }) {
  return <div class={`game-picture game-${game}`} aria-hidden="true" dangerouslySetInnerHTML={{ __html: cardPicture(game) }} />;
}
