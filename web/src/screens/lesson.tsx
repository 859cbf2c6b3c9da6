/* lesson.tsx -- the lesson of a game by its address, #/learn/GAME. */
import { useEffect } from 'preact/hooks';
import { current, playLesson } from '../session';
import { t } from '../texts/texts';
import { Opening, useDoing } from './parts';
import { TableHost } from './tables';

/** Opens the lesson and shows it; a reload begins it again. */
export function LessonScreen({ game }: { game: string }) {
  const doing = useDoing();
  const table = current.value;
  const there = table?.lesson != null && table.about.value.game === game;
  useEffect(() => {
    if (!there) doing.run(() => playLesson(game));
  }, [game]);
  if (table && there) return <TableHost table={table} />;
  return <Opening title={t(doing.error ? 'lesson.failed' : 'lesson.opening')} error={doing.error} />;
}
