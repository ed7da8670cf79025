import type { CoreSupervisor } from '../core-link/index.ts';
import { windowTitle, type AppWindow } from '../windows/index.ts';
import { watchProfile } from './watch-profile.ts';

/** The frame of the app's window says whose money it is about. */
export function setUpTitle({ core, appWindow }: { core: CoreSupervisor; appWindow: AppWindow }): () => void {
  return watchProfile({ core, hear: (profile) => appWindow.setTitle(windowTitle(profile)) });
}
