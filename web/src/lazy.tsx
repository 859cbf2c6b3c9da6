/* lazy.tsx -- screens that are loaded when somebody goes there, so that the first load stays small. */
import type { ComponentType } from 'preact';
import { Screen, Trouble, usePromise } from './screens/parts';
import { t } from './texts/texts';

/** A component that comes with a later load: lazy(async () => (await import('./editor/screen')).EditorScreen). */
export function lazy<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let loaded: Promise<ComponentType<P>> | null = null;
  const forget = (reason: unknown) => { loaded = null; throw reason; };
  return function Lazy(props: P) {
    const { value: Loaded, error } = usePromise(() => (loaded ??= load().catch(forget)), []);
    if (Loaded) return <Loaded {...props} />;
    return (
      <Screen title={t('app.loading')}>
        <Trouble error={error} />
        {error !== undefined && <button class="button" onClick={() => location.reload()}>{t('arena.reload')}</button>}
      </Screen>
    );
  };
}
