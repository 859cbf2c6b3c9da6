/* alerts.tsx -- how the page may call a player: sounds with their volume, messages of the system. In the settings and in a match's menu. */
import { useState } from 'preact/hooks';
import { canNotify, setNotify } from '../notify';
import { settings } from '../settings';
import { playSound } from '../sound';
import { t } from '../texts/texts';
import { Switch } from './parts';

/** The switches. Messages are asked for by this click alone. */
export function AlertSettings() {
  const { sound, volume, notify } = settings;
  const [blocked, setBlocked] = useState(false);
  return (
    <>
      <Switch label={t('settings.sound')} value={sound.value} onChange={(value) => { sound.value = value; }} />
      {sound.value && (
        <label class="field volume">
          <span>{t('settings.volume')}</span>
          <input type="range" min={0} max={1} step={0.1} value={volume.value}
            onInput={(event) => { volume.value = Number(event.currentTarget.value); }} onChange={() => playSound('mine')} />
        </label>
      )}
      {canNotify() && (
        <Switch label={t('settings.notify')} value={notify.value}
          onChange={(value) => void setNotify(value).then((allowed) => setBlocked(!allowed))} />
      )}
      {blocked && <p class="notice warn small" role="alert">{t('settings.notify.blocked')}</p>}
    </>
  );
}
