/* presence.ts -- tells the table that somebody is here, so that a person who only thinks does not
 * count as gone: at every sign of life, and while the page is in sight. */
import { useEffect } from 'preact/hooks';
import type { Table } from '../../table/table';

const LOOK_EVERY_MS = 4000;
const signs = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;

/** Says so as long as the match screen is there; the table sends it seldom. */
export function usePresence(table: Table): void {
  useEffect(() => {
    const tell = () => table.here();
    const look = () => {
      if (document.visibilityState === 'visible') tell();
    };
    const timer = setInterval(look, LOOK_EVERY_MS);
    for (const sign of signs) window.addEventListener(sign, tell, { passive: true });
    return () => {
      clearInterval(timer);
      for (const sign of signs) window.removeEventListener(sign, tell);
    };
  }, [table]);
}
