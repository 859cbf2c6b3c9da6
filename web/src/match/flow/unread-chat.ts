/* unread-chat.ts -- how many lines of the chat the person here has not seen yet. What was seen is kept for the tab, so that a reload does
 * not make old lines new. */
import { useEffect, useState } from 'preact/hooks';
import { settings } from '../../settings';
import type { Table } from '../../table/table';

/** The number of lines that others wrote since the chat was last in sight; `open`: it is in sight now. */
export function useUnreadChat(table: Table, open: boolean): number {
  const key = `mashup.chat.${table.about.value.code}`;
  const [seen, setSeen] = useState(() => Number(sessionStorage.getItem(key) ?? 0));
  const lines = table.chat.value;
  useEffect(() => {
    const look = () => {
      if (!open || document.hidden || lines.length === 0) return;
      sessionStorage.setItem(key, String(lines.length));
      setSeen(lines.length);
    };
    look();
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, [open, lines.length, key]);
  if (open || settings.mute.value) return 0;
  return lines.slice(seen).filter(({ seat }) => seat === null || seat !== table.you.value).length;
}
