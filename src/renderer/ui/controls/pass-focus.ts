import { flushSync } from 'react-dom';

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
