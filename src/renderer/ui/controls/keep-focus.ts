import { flushSync } from 'react-dom';

/** Records the position of a control, so that it stays known after the control was removed. */
interface FocusPlace {
  control: HTMLElement;
  around: { element: Element; before: Element[] }[];
}

const maxTrail = 16;
const rest = 'data-focus-rest';

/** True if no control is focused. */
export function focusIsFree(): boolean {
  const { activeElement, body } = document;
  return activeElement === null || activeElement === body || activeElement.hasAttribute(rest);
}

export function focusContent(): void {
  const content = document.querySelector('main');
  const table = content?.querySelector<HTMLElement>('[role=grid], [role=treegrid]');
  if (table) table.focus();
  else if (content) titleOf(content).focus();
}

/**
 * Keeps the keyboard focus on the page. If the focused control is removed, hidden or disabled, a browser drops the
 * focus, and the next Tab would start at the top of the page.
 * - If a dialog or menu closes, the focus returns to the control that was used before it.
 * - If any other control is removed or hidden, the control that replaced it gets the focus, else the next one, else the
 *   previous one, in the same part of the page. If the complete page changes, the title of the next page gets it.
 * - If a control is disabled while it works, the part of the page around it has the focus until it is enabled again.
 *
 * A key that is still held does not press the next button. A press outside every control removes the focus on purpose.
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
      makeFocusable(place.control.parentElement?.closest('section, form, dialog, main') ?? page.body).focus({
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
    // While an element is being removed, it is still at its place, so the check runs afterwards.
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

function nextPlace(trail: readonly FocusPlace[]): HTMLElement | undefined {
  const place = trail.findLast(({ around }) => !isOfClosedLayer(around));
  if (place === undefined) return titleOf(document.querySelector('main') ?? document.body);
  return canHaveFocus(place.control) ? place.control : controlAt(place);
}

function isOfClosedLayer(around: FocusPlace['around']): boolean {
  const home = around.find(({ element }) => isShown(element))?.element;
  return (
    home === undefined ||
    home === document.body ||
    around.some(({ element }) => element instanceof HTMLDialogElement && !element.open)
  );
}

/**
 * The control that replaced the removed one, else the next, else the previous one. Searches the smallest part of the
 * page that contains a control.
 */
function controlAt({ around }: FocusPlace): HTMLElement {
  const at = around.findIndex(({ element }) => isShown(element));
  const home = around[at]?.element ?? document.body;
  // The nearest preceding sibling that still exists.
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

function titleOf(part: Element): HTMLElement {
  return makeFocusable(part.querySelector('h1, h2') ?? part);
}

function makeFocusable(part: Element): HTMLElement {
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

type PassFocus = (otherwise: HTMLElement | null | undefined) => void;

/**
 * Prepares the focus for the removal of a list entry. The list has `data-entries`. The buttons that remove its entries
 * share a value in `data-removes`.
 */
function focusAfter(control: HTMLElement): PassFocus {
  const list = control.closest('[data-entries]');
  const named = `[data-removes="${control.dataset['removes']}"]`;
  const all = [...(list?.querySelectorAll<HTMLElement>(named) ?? [])];
  // Includes `control` itself, because React may reuse it for the next entry.
  const following = all.slice(all.indexOf(control));
  return (otherwise) => (following.find(({ isConnected }) => isConnected) ?? otherwise)?.focus();
}

/** Removes an entry and focuses the next remove button. `otherwise` is evaluated after the removal. */
export function removeAndPassFocus(
  control: HTMLElement,
  remove: () => void,
  otherwise: () => HTMLElement | null | undefined,
): void {
  const passFocus = focusAfter(control);
  flushSync(remove);
  passFocus(otherwise());
}

/** Applies a change and moves the focus. `next` is called after the change, because its control may not exist before. */
export function changeAndFocus(change: () => void, next: () => HTMLElement | null | undefined): void {
  flushSync(change);
  next()?.focus();
}

/**
 * Removes an entry and focuses the next remove button, else the last one. In an empty list: `otherwise`, by default the
 * dialog's first button.
 */
export async function removeAndPassFocusAsync(
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
