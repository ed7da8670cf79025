import { flushSync } from 'react-dom';

/** Moves the focus to the next entry that is still there, else to the given control. */
export type PassFocus = (otherwise: HTMLElement | null | undefined) => void;

/**
 * Finds where the focus goes from the control of an entry that is about to be removed: a key would else begin again at the top of the
 * page. A list has `data-entries`, and the controls that remove its entries have one name in `data-removes`.
 */
export function focusAfter(control: HTMLElement): PassFocus {
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
