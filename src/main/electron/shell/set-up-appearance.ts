import { nativeTheme } from 'electron';
import type { CoreSupervisor } from '../core-link/index.ts';
import type { Settings } from '../platform/settings.ts';
import { type AppWindow, windowTitle } from '../windows/index.ts';
import { watchProfile } from './follow-core.ts';

/** All windows and the menus follow the theme of the settings, now and whenever it is set. */
export function setUpTheme(settings: Pick<Settings, 'get' | 'onSet'>): () => void {
  nativeTheme.themeSource = settings.get('theme');
  return settings.onSet('theme', (theme) => {
    nativeTheme.themeSource = theme;
  });
}

/** The frame of the app's window says whose money it is about. */
export function setUpTitle({ core, appWindow }: { core: CoreSupervisor; appWindow: AppWindow }): () => void {
  return watchProfile({ core, onChange: (profile) => appWindow.setTitle(windowTitle('work', profile)) });
}
