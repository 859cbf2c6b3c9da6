/* picture.tsx -- a picture of the rules for players: boards of the page that show a position before and after what is done, with marks,
 * a way to see it happen, and the same in words for whoever does not see them. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Stage } from '../board/stage';
import { legsOf } from '../board/trail';
import { gamePage } from '../games';
import { cellsOf } from '../lesson/script';
import { UNIT_NONE, type Position } from '../model';
import { motionOn } from '../settings';
import { t } from '../texts/texts';
import type { Picture, Scene } from './guide';
import { changesOf, eventsOf, marksOf, partakers, sceneWords, wayOf } from './scene';

/** Room for the coordinates, in cells. */
const EDGE = 0.5;

/** Boards this near to what is seen are built. */
const NEAR = '500px';

/** One board, built once for its position when it comes near; `dress` puts the marks on it. */
function BoardPicture({ game, position, turned, label, dress, stageOf }:
  { game: string; position: Position; turned: boolean; label: string; dress(stage: Stage): void; stageOf?(stage: Stage): void }) {
  const host = useRef<HTMLDivElement>(null);
  /* A layout effect ends when its place goes; an effect only after the next paint, and a board could be built for nowhere in between. */
  useLayoutEffect(() => {
    let stage: Stage | null = null;
    let gone = false;
    const watcher = new IntersectionObserver((seen) => {
      /* A browser may still tell what was seen before the watching ended. */
      if (gone || !seen.some(({ isIntersecting }) => isIntersecting)) return;
      watcher.disconnect();
      stage = new Stage(host.current!, { game, interactive: false, motion: motionOn() });
      stage.turn(turned);
      stage.show(position);
      dress(stage);
      stageOf?.(stage);
    }, { rootMargin: NEAR });
    watcher.observe(host.current!);
    return () => {
      gone = true;
      watcher.disconnect();
      stage?.destroy();
    };
  }, [position]);
  const { width, height } = position.board;
  const shape = { aspectRatio: `${width + EDGE} / ${height + EDGE}` };
  return <div class="guide-board" role="img" aria-label={label} style={shape}><div aria-hidden="true" ref={host} /></div>;
}

/** The boards of a picture and what can be done with them; the words below are its caption. */
export function PictureView({ game, picture, scene }: { game: string; picture: Picture; scene: Scene }) {
  const playing = useRef<Stage | null>(null);
  const turned = gamePage(game)?.turned === scene.home;
  const point = cellsOf(picture.point ?? [], scene.before.board);
  const words = sceneWords(scene, point);
  const last = scene.after.at(-1);
  const dressBefore = (stage: Stage) => {
    stage.mark(marksOf(game, scene));
    stage.spot(point);
    stage.select(scene.reach?.unit ?? partakers(eventsOf(scene)).find((unit) => unit !== UNIT_NONE) ?? null);
    if (wayOf(scene).length > 1) stage.path(wayOf(scene));
  };
  const dressAfter = (stage: Stage) => {
    stage.trail(legsOf(eventsOf(scene)).filter(({ from, at }) => from === at));
    stage.forecast(changesOf(scene));
  };
  const play = async () => {
    const stage = playing.current;
    if (!stage) return;
    stage.forecast([]);
    stage.trail([]);
    stage.show(scene.before);
    for (const position of scene.after) await stage.play(position);
    dressAfter(stage);
  };
  return (
    <div class={`guide-boards${last ? ' two' : ''}`}>
      <BoardPicture game={game} position={scene.before} turned={turned} label={words.before} dress={dressBefore} />
      {last && <span class="guide-arrow" aria-hidden="true">➜</span>}
      {last && <BoardPicture game={game} position={last} turned={turned} label={words.after} dress={dressAfter} stageOf={(stage) => { playing.current = stage; }} />}
      {last && motionOn() && <button type="button" class="button small guide-play" onClick={() => void play()}>▶ {t('rules.again')}</button>}
    </div>
  );
}
