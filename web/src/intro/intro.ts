/* intro.ts -- shows the story that a game has before its matches (games/<id>/page/story.ts). It comes before a match is asked for, so
 * that it costs no time of anybody's choice; it can be skipped at any moment, and for good. */
import type { Text } from '../games';
import { settings, motionOn } from '../settings';
import { playSound } from '../sound';
import { spoken } from '../texts/language';
import { t } from '../texts/texts';

/** A story: pictures with words. */
export interface Story {
  name: Text;
  scenes: {
    words: Text;
    /** SVG elements in 480 x 270. What moves has a class of intro.css, with its delay and middle in data-delay and data-middle. */
    picture: () => string;
    /** How long it stays, if nobody goes on. */
    stay_ms: number;
    /** A sound of sound.ts. */
    sound: string;
  }[];
}

/** Gives what moves its delay and its middle: the page's policy forbids styles in markup. */
function dress(picture: Element): void {
  for (const element of picture.querySelectorAll<SVGElement>('[data-delay]')) element.style.animationDelay = `${element.dataset.delay}ms`;
  for (const element of picture.querySelectorAll<SVGElement>('[data-middle]')) element.style.transformOrigin = element.dataset.middle!;
}

/** Shows a story; resolves when it is over, was skipped, or `end` was raised. */
export function showStory({ name, scenes }: Story, end?: AbortSignal): Promise<void> {
  const dialog = document.createElement('dialog');
  dialog.className = 'story';
  dialog.setAttribute('aria-label', spoken(name));
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
    let at = -1;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = (): void => {
      clearTimeout(timer);
      const scene = scenes[++at];
      if (!scene) return dialog.close();
      const last = at === scenes.length - 1;
      find('.story-picture').innerHTML = `<svg viewBox="0 0 480 270" preserveAspectRatio="xMidYMid slice">${scene.picture()}</svg>`;
      dress(find('.story-picture'));
      find('.story-words').textContent = spoken(scene.words);
      find('.pips').innerHTML = scenes.map((_, i) => `<i class="${i <= at ? 'on' : ''}"></i>`).join('');
      next.textContent = t(last ? 'intro.start' : 'intro.next');
      playSound(scene.sound);
      if (motionOn()) timer = setTimeout(show, scene.stay_ms);
    };
    dialog.classList.toggle('still', !motionOn());
    next.addEventListener('click', show);
    skip.addEventListener('click', () => dialog.close());
    end?.addEventListener('abort', () => dialog.close());
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
