import type { AppPreload, AskDesktop } from '#shared/host-api/index.ts';
import { outputOfHost } from './bridge.ts';

/** The preload of the desktop host; null in other hosts. */
export function appPreload(): AppPreload | null {
  return (globalThis as { countersign?: AppPreload }).countersign ?? null;
}

type Pushes = Pick<AppPreload, 'onMenuCommand' | 'onRealWork' | 'onUpdates'>;

/** Requests to the desktop host. Each fails with an `AppError`: the host's own, or `core_unreachable`. */
export interface DesktopHost extends Pushes {
  ask: AskDesktop;
}

export function createDesktopHost(preload: Pushes & Pick<AppPreload, 'askHost'>): DesktopHost {
  const { onMenuCommand, onRealWork, onUpdates } = preload;
  return {
    ask: ((name, input) => outputOfHost(preload.askHost(name, input))) as AskDesktop,
    onMenuCommand,
    onRealWork,
    onUpdates,
  };
}

const preload = appPreload();

export const desktopHost: DesktopHost | null = preload && createDesktopHost(preload);
