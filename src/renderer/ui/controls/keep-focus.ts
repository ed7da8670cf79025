import { flushSync } from 'react-dom';

/** A control that had the focus, and what was around it then: its position survives its own removal. */
interface FocusPlace {
  control: HTMLElement;
  /** From the control outwards, each with the elements before it. */
  around: { element: Element; before: Element[] }[];
}

const maxTrail = 16;
const rest = 'data-focus-rest';

/** True while the focus is nowhere, or where no key is used: keys are free for the page. */
export function focusIsFree(): boolean {
  const { activeElement, body } = document;
  return activeElement === null || activeElement === body || activeElement.hasAttribute(rest);
}

/** Moves the focus to the table of the page, else to its title, past everything that comes before. */
export function focusContent(): void {
  const content = document.querySelector('main');
  const table = content?.querySelector<HTMLElement>('[role=grid], [role=treegrid]');
  if (table) table.focus();
  else if (content) titleOf(content).focus();
}

/**
 * Keeps the focus where a person works. A browser drops it when the control that has it is removed, hidden or disabled, and the next key
 * would begin again at the top of the page.
 * - Of a dialog or menu that closes, it returns to the control that was used before.
 * - Of any other control that is removed or hidden, it moves to what took its place, else to the next control, else to the one before,
 *   in the same part of the page; of a whole page, to the title of the next.
 * - A control that is disabled while it works gets it back; meanwhile it is on the part of the page around the control.
 *
 * A key that is still held does not press the next button. A press beside every control takes the focus away on purpose.
 */
export function keepFocus(page: Document): void {
  const trail: FocusPlace[] = [];
  let isDisabled = false;
  let isResting = false;

  function recover(changes: readonly MutationRecord[]): void {
    const place = trail.at(-1);
    const { activeElement } = page;
    const waitsFor = isDisabled ? place?.control : undefined;
    if (place === undefined) return;
    if (activeElement !== null && activeElement !== page.body && !(isDisabled && focusIsFree())) return;
    if (canHaveFocus(place.control)) {
      const wasMoved = changes.some(({ removedNodes }) =>
        [...removedNodes].some((node) => node.contains(place.control)),
      );
      if (place.control === waitsFor || wasMoved) place.control.focus({ preventScroll: true });
      else trail.length = 0;
    } else if (isShown(place.control)) {
      isDisabled = true;
      isResting = true;
      restAt(place.control.parentElement?.closest('section, form, dialog, main') ?? page.body).focus({
        preventScroll: true,
      });
      isResting = false;
    } else nextPlace(trail)?.focus();
  }

  page.addEventListener('focusin', ({ target }) => {
    if (isResting || !(target instanceof HTMLElement)) return;
    isDisabled = false;
    trail.push(placeOf(target));
    if (trail.length > maxTrail) trail.shift();
  });
  const observer = new MutationObserver(recover);
  observer.observe(page, { subtree: true, childList: true, attributeFilter: ['disabled', 'hidden', 'open'] });
  page.addEventListener('focusout', ({ relatedTarget }) => {
    // While an element is being removed, its place is still there.
    if (relatedTarget === null) queueMicrotask(() => recover(observer.takeRecords()));
  });
  page.addEventListener(
    'keydown',
    (event) => {
      if (event.repeat && event.key === 'Enter' && event.target instanceof HTMLButtonElement)
        event.preventDefault();
    },
    { capture: true },
  );
}

function placeOf(control: HTMLElement): FocusPlace {
  const around: FocusPlace['around'] = [];
  for (let element: Element | null = control; element !== null; element = element.parentElement) {
    const all = [...(element.parentElement?.children ?? [])];
    around.push({ element, before: all.slice(0, all.indexOf(element)) });
  }
  return { control, around };
}

/** The last place that is still there, or what is now where it was. */
function nextPlace(trail: readonly FocusPlace[]): HTMLElement | undefined {
  const place = trail.findLast(({ around }) => !isOfClosedLayer(around));
  if (place === undefined) return titleOf(document.querySelector('main') ?? document.body);
  return canHaveFocus(place.control) ? place.control : controlAt(place);
}

/** True for a dialog that closed, and for a menu, which is drawn at the end of the page. */
function isOfClosedLayer(around: FocusPlace['around']): boolean {
  const home = around.find(({ element }) => isShown(element))?.element;
  return (
    home === undefined ||
    home === document.body ||
    around.some(({ element }) => element instanceof HTMLDialogElement && !element.open)
  );
}

/** What took the place of a control, else the next control, else the one before: in the smallest part of the page that has one. */
function controlAt({ around }: FocusPlace): HTMLElement {
  const at = around.findIndex(({ element }) => isShown(element));
  const home = around[at]?.element ?? document.body;
  // Of the elements before it, the nearest that is left.
  const previous = around[at - 1]?.before.findLast((one) => one.parentElement === home);
  const start = previous ?? home;
  const isAfter = (one: Element): boolean =>
    start.contains(one) ? previous === undefined : follows(start, one);
  const innermost = home.matches('main, dialog, body') ? null : partAround(home);
  for (let part = innermost; part !== null; part = partAround(part.parentElement)) {
    const controls = [...part.querySelectorAll<HTMLElement>(focusable)].filter(isStop);
    const found = controls.find(isAfter) ?? controls.at(-1);
    if (found !== undefined) return found;
  }
  return titleOf(home.closest('main, dialog') ?? document.querySelector('main') ?? document.body);
}

const partAround = (element: Element | null): Element | null =>
  element?.closest('li, form, section, nav, header, footer, dialog, main') ?? null;

const follows = (one: Element, other: Element): boolean =>
  (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) > 0;

const focusable = 'a[href], button, input, select, textarea, summary, [tabindex]';

const isStop = (element: HTMLElement): boolean => element.tabIndex >= 0 && canHaveFocus(element);

/** The title of a page or dialog, else all of it. */
function titleOf(part: Element): HTMLElement {
  return restAt(part.querySelector('h1, h2') ?? part);
}

function restAt(part: Element): HTMLElement {
  if (!part.hasAttribute('tabindex')) part.setAttribute('tabindex', '-1');
  part.setAttribute(rest, '');
  return part as HTMLElement;
}

function isShown(element: Element): boolean {
  return (
    element.isConnected &&
    element.checkVisibility({ visibilityProperty: true }) &&
    element.closest('[inert]') === null
  );
}

function canHaveFocus(element: HTMLElement): boolean {
  const modal = [...document.querySelectorAll('dialog:modal')].at(-1);
  return isShown(element) && !element.matches(':disabled') && modal?.contains(element) !== false;
}

/** Moves the focus to the next entry that is still there, else to the given control. */
type PassFocus = (otherwise: HTMLElement | null | undefined) => void;

/**
 * Finds where the focus goes from the control of an entry that is about to be removed: a key would else begin again at the top of the
 * page. A list has `data-entries`, and the controls that remove its entries have one name in `data-removes`.
 */
function focusAfter(control: HTMLElement): PassFocus {
  const list = control.closest('[data-entries]');
  const named = `[data-removes="${control.dataset['removes']}"]`;
  const all = [...(list?.querySelectorAll<HTMLElement>(named) ?? [])];
  // The control itself may be that of the next entry by then.
  const following = all.slice(all.indexOf(control));
  return (otherwise) => (following.find(({ isConnected }) => isConnected) ?? otherwise)?.focus();
}

/** Removes an entry by its control, and moves the focus on. `otherwise` is asked for once the entry is gone. */
export function removeAndPassFocus(
  control: HTMLElement,
  remove: () => void,
  otherwise: () => HTMLElement | null | undefined,
): void {
  const passFocus = focusAfter(control);
  flushSync(remove);
  passFocus(otherwise());
}

/**
 * Opens or closes a form, and gives the focus to its first control or to the control that opened it, which may be drawn only now: the
 * control that was pressed may be gone.
 */
export function changeAndFocus(change: () => void, next: () => HTMLElement | null | undefined): void {
  flushSync(change);
  next()?.focus();
}

/**
 * Removes an entry by its control where that is waited for, and moves the focus on: to the next entry, else to the last one, else to what
 * `otherwise` finds, which is asked for once the entry is gone; without it, to the first button of the entry's dialog.
 */
export async function removedPassFocus(
  control: HTMLElement,
  remove: () => Promise<boolean>,
  otherwise?: () => HTMLElement | null | undefined,
): Promise<void> {
  const passFocus = focusAfter(control);
  const dialog = control.closest('dialog');
  const list = control.closest('[data-entries]');
  const named = `[data-removes="${control.dataset['removes']}"]`;
  if (!(await remove())) return;
  const left = list?.isConnected === true ? [...list.querySelectorAll<HTMLElement>(named)] : [];
  passFocus(left.at(-1) ?? (otherwise === undefined ? dialog?.querySelector('button') : otherwise()));
}
