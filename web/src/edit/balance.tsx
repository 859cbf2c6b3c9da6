/* balance.tsx -- many matches of a document between programs, in a worker of its own: how often the first side wins, and how long they are. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { Engine, freshSeed } from '../engine/engine';
import type { Document } from '../model';
import { Choice, Trouble, useDoing } from '../screens/parts';
import { shareOf, shareWords } from '../stats/share';
import { answerWords } from '../texts/answers';
import { tell } from '../texts/edit';

/** So many matches, and so many actions between two signs of progress. */
const MATCHES = 200, SLICE = 20;
/** A match that is longer has no end and is left out. */
const ACTIONS_MAX = 5000;
const LEVELS = [4, 5, 6];

/** What was counted so far. */
interface Counted {
  sides: [string, string];
  matches: number;
  points: number;
  drawn: number;
  actions: number;
  endless: number;
}

/** Plays one match to its end; null: it has none. */
async function playOut(engine: Engine, level: number): Promise<{ winner: 0 | 1 | null; actions: number } | null> {
  const seed = freshSeed();
  const refusal = await engine.call('begin', { options: {}, seed });
  if (refusal !== null) throw new Error(answerWords(refusal.reason, refusal.code));
  for (;;) {
    const done = await engine.call('playOn', { level, seed: seed[0], actions: SLICE });
    if (done === null) throw new Error(tell('edit.trial.cannot'));
    if (done.result) return { winner: done.result.winner, actions: done.count };
    if (done.count > ACTIONS_MAX) return null;
  }
}

/** Plays them all and tells after each. */
async function playAll(engine: Engine, level: number, sides: [string, string], heard: (so: Counted) => void): Promise<void> {
  let so: Counted = { sides, matches: 0, points: 0, drawn: 0, actions: 0, endless: 0 };
  while (so.matches + so.endless < MATCHES) {
    const match = await playOut(engine, level);
    so = match === null ? { ...so, endless: so.endless + 1 } : {
      ...so, matches: so.matches + 1, actions: so.actions + match.actions, drawn: so.drawn + (match.winner === null ? 1 : 0),
      points: so.points + (match.winner === null ? 0.5 : 1 - match.winner),
    };
    heard(so);
  }
}

/** What came of it, in sentences. */
function Result({ so }: { so: Counted }) {
  if (so.matches === 0) return null;
  return (
    <ul class="plain small balance-result">
      <li>{tell('edit.trial.first', { side: so.sides[0], share: shareWords(shareOf(so.points, so.matches), tell('edit.trial.to')) })}</li>
      <li>{tell('edit.trial.drawn', { n: so.drawn })}</li>
      <li>{tell('edit.trial.length', { n: Math.round(so.actions / so.matches) })}</li>
      {so.endless > 0 && <li>{tell('edit.trial.endless', { n: so.endless, most: ACTIONS_MAX })}</li>}
    </ul>
  );
}

/** Begins and cancels it. */
export function Balance({ game, preset, documents }: { game: string; preset: string; documents(): Promise<Document[]> }) {
  const [level, setLevel] = useState<number>(LEVELS[0]!);
  const [so, setSo] = useState<Counted | null>(null);
  const [running, setRunning] = useState(false);
  const worker = useRef<Engine | null>(null);
  const doing = useDoing();
  const stop = () => {
    worker.current?.close();
    worker.current = null;
    setRunning(false);
  };
  useEffect(() => stop, []);
  const start = () => doing.run(async () => {
    const mine = (worker.current = new Engine());
    setRunning(true);
    setSo(null);
    try {
      const { sides } = await mine.load({ game, preset, documents: await documents() });
      await playAll(mine, level, sides, setSo);
    } catch (error) {
      /* Cancelling ends the worker: nobody has to hear of that. */
      if (worker.current === mine) throw error;
    } finally {
      if (worker.current === mine) stop();
    }
  });
  const done = so ? so.matches + so.endless : 0;
  return (
    <section class="stack tight balance">
      <h3>{tell('edit.trial')}</h3>
      <p class="small soft">{tell('edit.trial.about', { n: MATCHES })}</p>
      <Choice<number> label={tell('edit.trial.level')} value={level} onChoose={(one) => setLevel(one)} all={LEVELS.map((one): [number, string] => [one, String(one)])} />
      {running ? (
        <p class="row">
          <progress class="grow" max={MATCHES} value={done} aria-label={tell('edit.trial.progress', { done, all: MATCHES })} />
          <span class="small" role="status">{tell('edit.trial.progress', { done, all: MATCHES })}</span>
          <button type="button" class="button small" onClick={stop}>{tell('edit.trial.cancel')}</button>
        </p>
      ) : <p><button type="button" class="button small" onClick={start}>{tell('edit.trial.start', { n: MATCHES })}</button></p>}
      {so && <Result so={so} />}
      <Trouble error={doing.error} />
    </section>
  );
}
