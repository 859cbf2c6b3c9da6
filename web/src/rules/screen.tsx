/* screen.tsx -- the rules of a game: the book, examples on the board, and who takes part. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { avatar } from '../art/avatar';
import { cardPicture } from '../art/cards';
import { Stage } from '../board/stage';
import { gamePage } from '../games';
import { redFirst } from '../match/panels/presentation';
import { href } from '../router';
import { LearnLink, Screen, Trouble, usePromise } from '../screens/parts';
import { motionOn } from '../settings';
import { t } from '../texts/texts';
import { findExamples, type Example, type Examples } from './examples';
import { readBook, type Book } from './markdown';
import { described, describedThing } from '../texts/descriptions';
import { language } from '../texts/language';

/** One example: a board that shows it, and can show it again. */
function ExampleView({ game, example }: { game: string; example: Example }) {
  const host = useRef<HTMLDivElement>(null);
  const stage = useRef<Stage | null>(null);
  const again = (): void => {
    stage.current?.show(example.before);
    void stage.current?.play(example.after);
  };
  useEffect(() => {
    const made = new Stage(host.current!, { game, interactive: false, motion: motionOn() });
    stage.current = made;
    made.show(example.after);
    return () => made.destroy();
  }, [example]);
  const { width, height } = example.after.board;
  return (
    <figure class="example panel">
      <div class="example-board" style={{ aspectRatio: `${width} / ${height}` }} ref={host} />
      <figcaption>{example.words.map((words) => <p>{words}</p>)}</figcaption>
      <button class="button small" onClick={again}>{t('rules.again')}</button>
    </figure>
  );
}

/** Everybody who takes part, with types and abilities in words where the game has any. */
function Kinds({ game, cast }: { game: string; cast: Examples['cast'] }) {
  const types = new Map(cast.flatMap(({ traits }) => traits).map((trait) => [trait.index, trait]));
  return (
    <section class="stack">
      <h2>{t('rules.kinds')}</h2>
      {[...types.keys()].sort((a, b) => a - b).map((index) => <p>{described({ game }, 'trait', index)}</p>)}
      <ul class="kinds plain">
        {cast.map(({ id, kind, values, traits, powers }) => (
          <li class="seat-none">
            <span class="avatar" aria-hidden="true" dangerouslySetInnerHTML={{ __html: avatar(id, undefined) }} />
            <span>
              <strong>{kind}</strong>{traits.map(({ name }) => <span class="chip trait">{name}</span>)}<br />
              <span class="soft small">{(traits.length === 0 && describedThing({ game }, id)) || values.map(({ name, now }) => `${name} ${now}`).join(', ')}</span>
              {powers.map(({ name, index }) => (
                <span class="kind-power small"><b>{name}</b> <span class="soft">{described({ game }, 'ability', index)}</span></span>
              ))}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Scrolls to a numbered sentence or a section. */
function jump(id: string): void {
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
  return <article class="book panel" onClick={follow} dangerouslySetInnerHTML={{ __html: book.html }} />;
}

/** The rules of one game. */
export function RulesScreen({ id }: { id: string }) {
  const text = usePromise(() => gamePage(id)?.rules() ?? Promise.reject(new Error(t('app.nothing'))), [id]);
  const [examples, setExamples] = useState<Examples | null>(null);
  useEffect(() => {
    let live = true;
    setExamples(null);
    if (gamePage(id)) findExamples(id, () => !live).then((found) => live && setExamples(found), () => undefined);
    return () => { live = false; };
  }, [id, language.value]);
  if (!text.value) return <Screen title={t('start.rules')}><Trouble error={text.error} /></Screen>;
  const book = readBook(text.value.default);
  return (
    <Screen title={t('rules.title', { game: book.title })} wide>
      <div class="rules-head">
        <div class="rules-picture" aria-hidden="true" dangerouslySetInnerHTML={{ __html: cardPicture(id) }} />
        <nav class="panel" aria-label={t('rules.contents')}>
          <ol class="rules-contents plain">
            {book.sections.map((section) => <li><button class="button quiet small" onClick={() => jump(section.id)}>{section.title}</button></li>)}
          </ol>
          <p class="row">
            <a class="button primary" href={href('game', id)}>{t('rules.play')}</a>
            <LearnLink game={id} title={book.title} always />
          </p>
        </nav>
      </div>
      <section class="stack" aria-busy={!examples}>
        <h2>{t('rules.example')}</h2>
        {!examples && <p role="status" class="soft">{t('rules.playing')}</p>}
        <div class={`examples${redFirst(id)}`}>{examples?.list.map((example) => <ExampleView game={id} example={example} />)}</div>
      </section>
      {examples && examples.cast.length > 0 && <Kinds game={id} cast={examples.cast} />}
      <BookView book={book} />
    </Screen>
  );
}
