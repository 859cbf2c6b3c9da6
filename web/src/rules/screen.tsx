/* screen.tsx -- the rules of a game for players: aim, turn, actions, end and hints, with pictures that the engine plays. */
import { useEffect, useState } from 'preact/hooks';
import { cardPicture } from '../art/cards';
import type { Names } from '../engine/calls';
import { allGames, Engine } from '../engine/engine';
import { gamePage, type Text } from '../games';
import { redFirst } from '../match/panels/presentation';
import { href } from '../router';
import { LearnLink, Screen, Trouble, usePromise } from '../screens/parts';
import { language, spoken } from '../texts/language';
import { t } from '../texts/texts';
import { jump } from './book';
import { castOf, Kinds, type Cast } from './cast';
import { develop, partsOf, picturesOf, type Guide, type GuideSection, type Picture, type Scene } from './guide';
import { PictureView } from './picture';

/** What the engine tells for a guide in the language spoken now; scenes come one after the other. */
interface Told {
  names: Names | null;
  cast: Cast | null;
  scenes: Map<Picture, Scene>;
  error: unknown;
}

const NOTHING: Told = { names: null, cast: null, scenes: new Map(), error: null };

/** Asks for names, pictures and units of a guide. */
function useTold(game: string, guide: Guide | undefined): Told {
  const [told, set] = useState(NOTHING);
  useEffect(() => {
    if (!guide) return undefined;
    const engine = new Engine();
    let live = true;
    const tell = (more: (before: Told) => Partial<Told>) => live && set((before) => ({ ...before, ...more(before) }));
    const ask = async () => {
      const names = await engine.call('names', { game });
      set({ ...NOTHING, names });
      for (const picture of picturesOf(guide)) {
        const scene = await develop(engine, game, guide, picture);
        tell(({ scenes }) => ({ scenes: new Map(scenes).set(picture, scene) }));
      }
      await engine.load({ game });
      await engine.call('begin', { options: {}, seed: [1, 2, 3, 4] });
      const cast = castOf(await engine.call('see', { eyes: 'all' }));
      tell(() => ({ cast }));
    };
    ask().catch((error: unknown) => tell(() => ({ error }))).finally(() => engine.close());
    return () => { live = false; engine.close(); };
  }, [game, guide, language.value]);
  return told;
}

/** A text in the language spoken now, with names of the game by their ids. */
function Words({ text, names }: { text: Text; names: Names }) {
  return <>{partsOf(spoken(text), names).map((part) => (part.named ? <b>{part.text}</b> : part.text))}</>;
}

/** One part: headline, texts, pictures. */
function Section({ id, title, game, section, told, names }: { id: string; title: string; game: string; section: GuideSection; told: Told; names: Names }) {
  return (
    <section class="guide-section panel" aria-labelledby={id}>
      <div class="guide-text stack">
        <h2 id={id}>{title}</h2>
        {section.text.map((text) => <p><Words text={text} names={names} /></p>)}
      </div>
      {section.pictures && (
        <div class="stack">
          {section.pictures.map((picture) => {
            const scene = told.scenes.get(picture);
            return (
              <figure class="guide-figure stack tight" aria-busy={!scene}>
                {scene && <PictureView game={game} picture={picture} scene={scene} />}
                <figcaption><Words text={picture.text} names={names} /></figcaption>
              </figure>
            );
          })}
        </div>
      )}
    </section>
  );
}

/** The rules of one game for players. */
export function RulesScreen({ id }: { id: string }) {
  const loaded = usePromise(async () => (await gamePage(id)?.guide())?.default ?? Promise.reject(new Error(t('app.nothing'))), [id]);
  const title = usePromise(allGames, [language.value]).value?.find((game) => game.id === id)?.title ?? '';
  const guide = loaded.value;
  const told = useTold(id, guide);
  const { names } = told;
  const trouble = loaded.error ?? told.error;
  if (!guide || !names) return <Screen title={t('start.rules')}>{trouble ? <Trouble error={trouble} /> : <p role="status">{t('app.loading')}</p>}</Screen>;
  const parts: [string, string, GuideSection][] = [
    ['rule-aim', t('rules.aim'), guide.aim],
    ['rule-turn', t('rules.turn'), guide.turn],
    ...guide.actions.map((action, at): [string, string, GuideSection] => [`rule-action-${at}`, spoken(action.title), action]),
    ['rule-end', t('rules.end'), guide.end],
  ];
  const contents = [...parts.map(([anchor, name]) => [anchor, name]), ['rule-hints', t('rules.hints')], ['rule-kinds', t('rules.kinds')]] as [string, string][];
  return (
    <Screen title={t('rules.title', { game: title })} wide>
      <div class="rules-head">
        <div class="rules-picture" aria-hidden="true" dangerouslySetInnerHTML={{ __html: cardPicture(id) }} />
        <nav class="panel" aria-label={t('rules.contents')}>
          <ol class="rules-contents plain">
            {contents.map(([anchor, name]) => <li><button class="button quiet small" onClick={() => jump(anchor)}>{name}</button></li>)}
          </ol>
          <p class="row">
            <a class="button primary" href={href('game', id)}>{t('rules.play')}</a>
            <LearnLink game={id} title={title} always />
            <a href={href('rules', id, 'complete')}>{t('rules.complete')}</a>
          </p>
        </nav>
      </div>
      <Trouble error={told.error} />
      <div class={`stack guide${redFirst(id)}`}>
        {parts.map(([anchor, name, section]) => <Section key={anchor} id={anchor} title={name} game={id} section={section} told={told} names={names} />)}
        <section class="panel stack" aria-labelledby="rule-hints">
          <h2 id="rule-hints">{t('rules.hints')}</h2>
          <ul>{guide.hints.map((hint) => <li><Words text={hint} names={names} /></li>)}</ul>
        </section>
      </div>
      {told.cast && told.cast.size > 0 && <Kinds game={id} cast={told.cast} />}
      <p>{t('rules.complete.about')} <a href={href('rules', id, 'complete')}>{t('rules.complete')}</a></p>
    </Screen>
  );
}
