import type { MenuItemConstructorOptions } from 'electron';
import { counted } from '#shared/lib/counted.ts';

/** What the tray tells. */
export interface TrayState {
  /** How many changes wait; null while nobody knows. */
  waiting: number | null;
  /** All agents are frozen. */
  frozen: boolean;
}

function waitingWords(count: number | null): string | null {
  if (count === null || count === 0) return null;
  return `${counted(count, 'change waits', 'changes wait')} for you`;
}

/** What the tray says under the pointer. */
export function trayTooltip({ waiting, frozen }: TrayState): string {
  const words = [waitingWords(waiting), frozen ? 'agents frozen' : null].filter((word) => word !== null);
  return words.length === 0 ? 'Countersign' : `Countersign: ${words.join(', ')}`;
}

export interface TrayActions {
  open(): void;
  openProposals(): void;
  stop(): void;
  thaw(): void;
  quit(): void;
}

/** The tray's menu. Nothing in it decides anything about a change. */
export function trayMenu({ waiting, frozen }: TrayState, actions: TrayActions): MenuItemConstructorOptions[] {
  const words = waitingWords(waiting);
  return [
    { label: 'Open Countersign', click: () => actions.open() },
    ...(words === null ? [] : [{ label: words, click: () => actions.openProposals() }]),
    { type: 'separator' },
    { label: 'Emergency stop', click: () => actions.stop() },
    ...(frozen ? [{ label: 'Let agents work again…', click: () => actions.thaw() }] : []),
    { type: 'separator' },
    { label: 'Quit Countersign', click: () => actions.quit() },
  ];
}
