/* easter-egg.ts -- a greeting that is in no manual: who types a certain word outside of any field meets its author. */
import { playSound } from '../sound';
import { t } from '../texts/texts';
import { bust } from './avatar';

const WORD = 'excelsior';
const STAY_MS = 4300;

/** Begins to listen. */
export function listenForTheWord(): void {
  let typed = '';
  document.addEventListener('keydown', (event) => {
    const target = event.target as HTMLElement | null;
    if (target?.closest('input, textarea, select, [contenteditable]') || event.key.length !== 1) return;
    typed = (typed + event.key.toLowerCase()).slice(-WORD.length);
    if (typed !== WORD || document.querySelector('.excelsior')) return;
    const guest = document.createElement('div');
    guest.className = 'excelsior';
    guest.setAttribute('role', 'status');
    guest.innerHTML = `<svg viewBox="0 0 100 100" aria-hidden="true">${bust('stan-lee')}</svg><b>${t('board.excelsior')}</b>`;
    document.body.append(guest);
    playSound('cheer');
    setTimeout(() => guest.remove(), STAY_MS);
  });
}
