import { nativeTheme } from 'electron';
import type { Settings } from '../settings/index.ts';

/** Both windows and the menus follow the theme of the settings, now and whenever it is set. */
export function setUpTheme(settings: Pick<Settings, 'get' | 'onSet'>): () => void {
  nativeTheme.themeSource = settings.get('theme');
  return settings.onSet('theme', (theme) => {
    nativeTheme.themeSource = theme;
  });
}
