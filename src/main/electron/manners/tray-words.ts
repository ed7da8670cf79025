import type { MenuItemConstructorOptions } from 'electron';

/** How many changes wait, in words; null while nobody knows. */
function waitingWords(count: number | null): string | null {
  if (count === null || count === 0) return null;
  return count === 1 ? '1 change waits for you' : `${count} changes wait for you`;
}

/** What the tray says under the pointer. */
export function trayTooltip(count: number | null): string {
  const words = waitingWords(count);
  return words === null ? 'Countersign' : `Countersign: ${words}`;
}

export interface TrayActions {
  open(): void;
  openProposals(): void;
  quit(): void;
}

/** The tray's menu. Nothing in it decides anything. */
export function trayMenu(count: number | null, actions: TrayActions): MenuItemConstructorOptions[] {
  const words = waitingWords(count);
  return [
    { label: 'Open Countersign', click: () => actions.open() },
    ...(words === null ? [] : [{ label: words, click: () => actions.openProposals() }]),
    { type: 'separator' },
    { label: 'Quit Countersign', click: () => actions.quit() },
  ];
}
