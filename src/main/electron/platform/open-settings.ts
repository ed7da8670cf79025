import ElectronStore from 'electron-store';
import type { DesktopLog } from './log.ts';
import { createSettings, type Settings, type SettingsStore } from './settings.ts';

/** Opens `settings.json` in the folder of this user's app data. A damaged file begins anew; where none can be opened, settings last for this run. */
export function openSettings(log: DesktopLog): Settings {
  try {
    return createSettings(openFile());
  } catch (failure) {
    const code = failure instanceof Error && 'code' in failure ? failure.code : null;
    log.warn({ code }, 'The settings cannot be opened: they last for this run');
    return createSettings({ read: () => ({}), write: () => undefined });
  }
}

/** Fails as the file system does: it reads, and writes what it read, at once. */
function openFile(): SettingsStore {
  const store = new ElectronStore({
    name: 'settings',
    clearInvalidConfig: true,
    accessPropertiesByDotNotation: false,
  });
  return {
    read: () => store.store,
    write(values) {
      store.store = { ...values };
    },
  };
}
