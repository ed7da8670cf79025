import ElectronStore from 'electron-store';
import { createSettings, type Settings } from './settings.ts';

/** Opens `settings.json` in the folder of this user's app data. A damaged file begins anew. */
export function openSettings(): Settings {
  const store = new ElectronStore({
    name: 'settings',
    clearInvalidConfig: true,
    accessPropertiesByDotNotation: false,
  });
  return createSettings({
    read: () => store.store,
    write(values) {
      store.store = { ...values };
    },
  });
}
