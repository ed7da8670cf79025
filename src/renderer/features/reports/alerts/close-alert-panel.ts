import { changeAndFocus } from '#renderer/ui/index.ts';
import { rowActionsStore } from '../stores/stores.ts';

/** Returns the focus to the control that opened the editor, else to the rows. */
export function closeAlertPanel(): void {
  const { set, opener } = rowActionsStore.getState();
  changeAndFocus(
    () => set({ watched: null, opener: null }),
    () => {
      const isShown = opener instanceof HTMLElement && opener.isConnected;
      return isShown ? opener : document.querySelector<HTMLElement>('[aria-label="Report rows"]');
    },
  );
}
