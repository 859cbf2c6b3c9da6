/* intro.ts -- the story before the hunt: who had the stones, and who swallowed them. It is told before a match is asked for, so
 * that it costs no time of anybody's choice; it can be skipped at any moment, and for good. */
import { settings, motionOn } from '../settings';
import { playSound } from '../sound';
import { t, type TextKey } from '../texts/texts';
import { dress, SCENES } from '../../../games/marvelous-mashup/page/story';

/** How long each picture stays, if nobody goes on. */
const STAY_MS = [3200, 3600, 3200, 2600, 5200];

/** Tells the story; resolves when it is over or was skipped. */
export function tellStory(): Promise<void> {
  const dialog = document.createElement('dialog');
  dialog.className = 'story';
  dialog.setAttribute('aria-label', t('intro.name'));
  dialog.innerHTML =
    '<div class="story-picture" aria-hidden="true"></div><p class="story-words" aria-live="polite"></p>' +
    '<footer><label class="switch small"><input type="checkbox"><span></span></label><span class="pips"></span>' +
    '<button type="button" class="button quiet"></button><button type="button" class="button primary" autofocus></button></footer>';
  const find = <T extends Element>(what: string): T => dialog.querySelector<T>(what)!;
  const [skip, next] = [...dialog.querySelectorAll('button')] as [HTMLButtonElement, HTMLButtonElement];
  find('.switch span').textContent = t('intro.never');
  skip.textContent = t('intro.skip');
  const never = find<HTMLInputElement>('input');
  never.checked = !settings.intro.value;
  document.body.append(dialog);
  return new Promise((resolve) => {
    let scene = -1;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = (): void => {
      clearTimeout(timer);
      if (++scene >= SCENES.length) return dialog.close();
      const last = scene === SCENES.length - 1;
      find('.story-picture').innerHTML = `<svg viewBox="0 0 480 270" preserveAspectRatio="xMidYMid slice">${SCENES[scene]!()}</svg>`;
      dress(find('.story-picture'));
      find('.story-words').textContent = t(`intro.${scene + 1}` as TextKey);
      find('.pips').innerHTML = SCENES.map((_, i) => `<i class="${i <= scene ? 'on' : ''}"></i>`).join('');
      next.textContent = t(last ? 'intro.start' : 'intro.next');
      playSound(scene === 3 ? 'gulp' : 'round');
      if (motionOn()) timer = setTimeout(show, STAY_MS[scene]);
    };
    dialog.classList.toggle('still', !motionOn());
    next.addEventListener('click', show);
    skip.addEventListener('click', () => dialog.close());
    never.addEventListener('change', () => (settings.intro.value = !never.checked));
    dialog.addEventListener('close', () => {
      clearTimeout(timer);
      dialog.remove();
      resolve();
    });
    dialog.showModal();
    show();
    next.focus();
  });
}
