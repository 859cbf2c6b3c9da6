/* keyboard.ts -- the keyboard is never left nowhere: where something that has it is taken away or switched off by what happens, it gets
 * the nearest thing that is left. Nothing else moves it. */

/* What takes letters for itself is not among them: the next key may be meant for the match. */
const CONTROLS = 'button:not(:disabled), a[href], [role=gridcell][tabindex="0"]';

/** What has the keyboard, for who uses it, and what that is in. */
let held: { element: HTMLElement; within: HTMLElement[] } | null = null;

/** Is it switched off? */
function off(element: Element): boolean {
  return (element as HTMLButtonElement).disabled === true;
}

/** Remembers what has the keyboard; whoever points does not need it. */
function hold({ target }: FocusEvent): void {
  const element = target as HTMLElement;
  held = null;
  if (!element.matches(':focus-visible')) return;
  const within: HTMLElement[] = [];
  for (let outer = element.parentElement; outer && outer !== document.body; outer = outer.parentElement) within.push(outer);
  held = { element, within };
}

/** What had it is there and can be used a moment later: somebody has let go of it themselves. */
function release({ target }: FocusEvent): void {
  queueMicrotask(() => {
    if (held?.element === target && held.element.isConnected && !off(held.element)) held = null;
  });
}

/** Something on the page is another: finds a place for the keyboard if it has lost its own. */
function restore(): void {
  if (!held || (document.activeElement !== document.body && document.activeElement !== null)) return;
  const { element, within } = held;
  if (element.isConnected) {
    if (!off(element)) element.focus({ preventScroll: true });
    return;
  }
  held = null;
  const content = document.getElementById('content');
  const left = within.find((outer) => outer.isConnected);
  const near = left && left !== content && content?.contains(left) ? left.querySelector<HTMLElement>(CONTROLS) : null;
  (near ?? content)?.focus({ preventScroll: true });
}

/** Begins to look after the keyboard. */
export function keepKeyboard(): void {
  document.addEventListener('focusin', hold);
  document.addEventListener('focusout', release);
  new MutationObserver(restore).observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ['disabled'] });
}
