// documents.mjs -- what random documents are asked of the game's own generators, for tests/system/schemas.mjs.
import { between } from '../../../tests/system/schemas_random.mjs';

/** By kind: the words behind `mashup generate`. */
export const generated = {
  scenario: () => {
    const [width, height] = [1, 2].map(() => (between(1, 20) === 1 ? 100 : between(5, 30)));
    const portals = between(0, 1) * between(2, Math.max(2, Math.floor((width * height) / 50)));
    return ['scenario', '--width', width, '--height', height, '--rocks', between(0, 60),
      '--portals', width * height < 60 ? 0 : portals, '--mirrored', 0];
  },
  character: () => ['characters', '--count', between(24, 200)],
  game: () => ['match'],
};
