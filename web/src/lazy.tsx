/* lazy.tsx -- screens that are loaded when somebody goes there, so that the first load stays small. */
import type { ComponentType } from 'preact';
import { Screen, Unloaded, usePromise } from './screens/parts';
import { t } from './texts/texts';

/** A component that comes with a later load: lazy(async () => (await import('./editor/screen')).EditorScreen). */
export function lazy<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> & { fetch(): void } {
  let loaded: Promise<ComponentType<P>> | null = null;
  let ready: ComponentType<P> | undefined;
  const forget = (reason: unknown) => { loaded = null; throw reason; };
  const once = () => (loaded ??= load().then((component) => (ready = component), forget));
  function Lazy(props: P) {
    const { value, error } = usePromise(once, []);
    const Loaded = ready ?? value;
    if (Loaded) return <Loaded {...props} />;
    return error === undefined ? <Screen title={t('app.loading')}>{null}</Screen> : <Unloaded error={error} />;
  }
  /* Loads it before anybody goes there; if that fails, it is tried again then. */
  return Object.assign(Lazy, { fetch: () => void once().catch(() => {}) });
}
