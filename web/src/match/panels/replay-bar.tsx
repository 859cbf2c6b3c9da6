/* replay-bar.tsx -- the controls of a replay: scrub, step, speed, jumps, eyes, and playing on. */
import { useState } from 'preact/hooks';
import { embedded } from '../../embedded';
import type { Seat } from '../../model';
import { replayed } from '../../session';
import type { Perspective, ReplayControls, Table } from '../../table/table';
import { say } from '../../texts/match';
import { seatName } from './status-bar';
import { PlayOn } from './play-on';
import { ShareDialog } from './share';

const speeds = [0.5, 1, 2, 4, 8];

/** The controls. */
export function ReplayBar({
  table,
  controls,
  onShow,
}: {
  table: Table;
  controls: ReplayControls;
  onShow: (table: Table) => void;
}) {
  const [asking, setAsking] = useState(false);
  const [sharing, setSharing] = useState(false);
  const at = controls.at.value;
  const go = (to: number) => {
    controls.stop();
    void controls.goto(Math.max(0, Math.min(controls.length, to)));
  };
  const playing = controls.playing.value;
  const eyes: [Perspective, string][] = [
    ['all', say('eyesAll')],
    ['watcher', say('eyesWatcher')],
    [0, seatName(table, 0)],
    [1, seatName(table, 1)],
  ];
  return (
    <section class="replay" aria-label={say('replaying')}>
      <div class="replay-row">
        <button
          type="button"
          class="button small square"
          aria-label={say('first')}
          onClick={() => go(0)}
        >
          |◀
        </button>
        <button
          type="button"
          class="button small square"
          aria-label={say('stepBack')}
          onClick={() => go(at - 1)}
        >
          ◀
        </button>
        <button
          type="button"
          class="button small primary"
          onClick={() => (playing ? controls.stop() : controls.play())}
        >
          {playing ? `❚❚ ${say('stop')}` : `▶ ${say('play')}`}
        </button>
        <button
          type="button"
          class="button small square"
          aria-label={say('stepOn')}
          onClick={() => go(at + 1)}
        >
          ▶
        </button>
        <button
          type="button"
          class="button small square"
          aria-label={say('last')}
          onClick={() => go(controls.length)}
        >
          ▶|
        </button>
        <input
          class="scrub"
          type="range"
          min={0}
          max={controls.length}
          value={at}
          aria-label={say('replayAt', at, controls.length)}
          onInput={(event) => go(Number(event.currentTarget.value))}
        />
        <span class="number small">
          {at}/{controls.length}
        </span>
      </div>
      <div class="replay-row">
        <label class="small">
          {say('replaySpeed')}{' '}
          <select
            value={controls.speed.value}
            onChange={(event) => controls.setSpeed(Number(event.currentTarget.value))}
          >
            {speeds.map((speed) => (
              <option value={speed}>{speed}×</option>
            ))}
          </select>
        </label>
        {table.about.value.hides && (
          <label class="small">
            {say('eyes')}{' '}
            <select
              value={String(controls.perspective.value)}
              onChange={(event) => {
                const { value } = event.currentTarget;
                void controls.look(value === '0' ? 0 : value === '1' ? 1 : (value as Perspective));
              }}
            >
              {eyes.map(([value, name]) => (
                <option value={String(value)}>{name}</option>
              ))}
            </select>
          </label>
        )}
        <label class="small jump">
          {say('jump')}{' '}
          <select
            value=""
            onChange={(event) => event.currentTarget.value && go(Number(event.currentTarget.value))}
          >
            <option value="">…</option>
            {controls.marks.value.map((mark) => (
              <option value={mark.at}>
                {mark.at}: {mark.text}
              </option>
            ))}
          </select>
        </label>
        {replayed.value !== '' && embedded === null && (
          <button type="button" class="button small" onClick={() => setSharing(true)}>
            {say('share')}
          </button>
        )}
        {controls.canPlayOn && embedded === null && (
          <button type="button" class="button small" onClick={() => setAsking(true)}>
            {say('playOn')}
          </button>
        )}
      </div>
      {sharing && (
        <ShareDialog
          code={replayed.value}
          title={table.about.value.title}
          text={say('shareText', table.about.value.title, [0, 1].map((seat) => seatName(table, seat as Seat)).join(' – '))}
          at={at}
          onClose={() => setSharing(false)}
        />
      )}
      {asking && (
        <PlayOn
          table={table}
          controls={controls}
          onShow={onShow}
          onClose={() => setAsking(false)}
        />
      )}
    </section>
  );
}
