/* turns.ts -- one's matches over days: in which it is one's turn, and until when. Asked for while the page is in sight, or messages of the
 * system are wanted, and whenever a table is left; they belong to the account, so every device of it knows them. */
import { effect, signal } from '@preact/signals';
import { account } from './account';
import { notify } from './notify';
import { settings } from './settings';
import { t } from './texts/texts';

/** A match over days. */
export interface DaysMatch {
  code: string;
  game: string;
  days: number;
  seat: 0 | 1;
  /** Null: the account is deleted. */
  opponent: string | null;
  yours: boolean;
  /** When one's own turn is over, in ms since 1970. */
  deadline_ms?: number;
}

const LOOK_EVERY_MS = 60_000;

/** All of them, those first in which it is one's turn; null: not asked yet. */
export const turns = signal<DaysMatch[] | null>(null);

/** Asks now. Who has no account has none; what cannot be asked stays as it was. */
export async function lookAtTurns(): Promise<void> {
  const own = account.value;
  if (!own?.name) {
    turns.value = null;
    return;
  }
  try {
    const answer = await fetch('/api/v1/turns', { cache: 'no-store', headers: { Authorization: `Bearer ${own.key}` } });
    if (!answer.ok || account.value?.key !== own.key) return;
    const before = turnsWaiting();
    turns.value = ((await answer.json()) as { turns: DaysMatch[] }).turns;
    if (turnsWaiting() > before) void notify(t('days.yours'), t('days.title'));
  } catch {
    /* The server is away: later. */
  }
}

/** In how many matches it is one's turn. */
export function turnsWaiting(): number {
  return turns.value?.filter(({ yours }) => yours).length ?? 0;
}

/** Has this account a seat there? Asks if it is not known yet. */
export async function holdsDaysSeat(code: string): Promise<boolean> {
  if (account.value?.name && turns.value === null) await lookAtTurns();
  return turns.value?.some((match) => match.code === code) ?? false;
}

/** Asks from now on. */
export function followTurns(): void {
  const look = () => { if (document.visibilityState === 'visible' || settings.notify.value) void lookAtTurns(); };
  effect(() => {
    void account.value; /* another account has other matches */
    look();
  });
  setInterval(look, LOOK_EVERY_MS);
  document.addEventListener('visibilitychange', look);
}
