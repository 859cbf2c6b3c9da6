/* vacation.tsx -- days in which one's turns in matches over days take no time. */
import { useEffect, useState } from 'preact/hooks';
import type { TurnsMessage } from '../arena/messages';
import { Choice, Trouble, useDoing } from '../screens/parts';
import { tell } from '../texts/account';
import { lookAtTurns } from '../turns';
import { askVacation } from './ask';

const DAY_S = 86_400;
const CHOICES = [1, 2, 3, 5, 7, 10, 14, 21, 30];

/** Begins or ends a vacation. */
export function Vacation() {
  const [now, setNow] = useState<TurnsMessage | null>(null);
  const [days, setDays] = useState(CHOICES[0]!);
  const doing = useDoing();
  const ask = (wanted?: number) => doing.run(async () => { setNow(await askVacation(wanted)); if (wanted !== undefined) await lookAtTurns(); });
  useEffect(() => ask(), []);
  const choices = CHOICES.filter((n) => n <= (now?.vacation_days ?? 0));
  return (
    <section class="panel stack" aria-label={tell('vacation')}>
      <h2>{tell('vacation')}</h2>
      <p>{tell('vacationAbout')}</p>
      {now?.vacation_s !== undefined && <p class="notice" role="status">{tell('vacationOn', Math.ceil(now.vacation_s / DAY_S))}</p>}
      {now && <p class="soft small">{tell('vacationLeft', now.vacation_days)}</p>}
      <Trouble error={doing.error} />
      {now?.vacation_s !== undefined && <div class="row"><button class="button" disabled={doing.busy} onClick={() => ask(0)}>{tell('vacationEnd')}</button></div>}
      {now && now.vacation_s === undefined && choices.length > 0 && (
        <div class="row code-form">
          <Choice label={tell('vacationDays')} value={days} all={choices.map((n): [number, string] => [n, String(n)])} onChoose={(n) => setDays(n)} />
          <button class="button" disabled={doing.busy} onClick={() => ask(days)}>{tell('vacationBegin')}</button>
        </div>
      )}
    </section>
  );
}
