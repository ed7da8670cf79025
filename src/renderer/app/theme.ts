import { sessionStore } from '#renderer/stores/session/index.ts';
import { uiStore } from '#renderer/stores/ui/index.ts';
import { windowTitle } from './profile/words.ts';

/** Keeps theme, density and the profile's colour on the root element, where the tokens look for them, and the profile's name in the title. */
export function followTheme(): void {
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  const { dataset } = document.documentElement;
  const apply = (): void => {
    const { theme, density } = uiStore.getState();
    dataset['theme'] = theme === 'system' ? (dark.matches ? 'dark' : 'light') : theme;
    dataset['density'] = density;
    const profile = sessionStore.getState().session?.profile;
    if (profile) dataset['profile'] = profile.kind;
    document.title = windowTitle(profile);
  };
  apply();
  dark.addEventListener('change', apply);
  uiStore.subscribe(apply);
  sessionStore.subscribe(apply);
}
