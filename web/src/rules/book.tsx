/* book.tsx -- the complete rules of a game: its numbered sentences, as RULES.md has them. */
import { gamePage } from '../games';
import { href } from '../router';
import { Screen, Trouble, usePromise } from '../screens/parts';
import { motionOn } from '../settings';
import { t } from '../texts/texts';
import { readBook, type Book } from './markdown';

/** Scrolls to a numbered sentence or a section. */
export function jump(id: string): void {
  const target = document.getElementById(id);
  target?.scrollIntoView({ behavior: motionOn() ? 'smooth' : 'auto', block: 'center' });
  target?.setAttribute('tabindex', '-1');
  target?.focus({ preventScroll: true });
}

/** The book; a number in it leads to its sentence. */
function BookView({ book }: { book: Book }) {
  const follow = (event: Event): void => {
    const link = (event.target as HTMLElement).closest<HTMLElement>('[data-rule]');
    if (!link) return;
    event.preventDefault();
    jump(`rule-${link.dataset.rule}`);
  };
  return <article class="book panel" lang="en" onClick={follow} dangerouslySetInnerHTML={{ __html: book.html }} />;
}

/** The complete rules of one game. */
export function BookScreen({ id }: { id: string }) {
  const text = usePromise(() => gamePage(id)?.rules() ?? Promise.reject(new Error(t('app.nothing'))), [id]);
  if (!text.value) return <Screen title={t('rules.complete')}><Trouble error={text.error} /></Screen>;
  const book = readBook(text.value.default);
  return (
    <Screen title={t('rules.complete.of', { game: book.title })} wide>
      <p>{t('rules.complete.about')} <a href={href('rules', id)}>{t('rules.short')}</a></p>
      <nav class="panel" aria-label={t('rules.contents')}>
        <ol class="rules-contents plain" lang="en">
          {book.sections.map((section) => <li><button class="button quiet small" onClick={() => jump(section.id)}>{section.title}</button></li>)}
        </ol>
      </nav>
      <BookView book={book} />
    </Screen>
  );
}
