import ElectronStore from 'electron-store';
import { settingsSchema, type SettingsValues } from '#shared/host-api/index.ts';
import type { DesktopLog } from './log.ts';

/** Everything that the desktop host remembers: window places, theme, last profile, and the consent to a weak vault. */
export interface Settings {
  get<K extends keyof SettingsValues>(key: K): SettingsValues[K];
  /** Remembers it. Where it cannot be written, it holds until the end of this run. */
  set<K extends keyof SettingsValues>(key: K, value: SettingsValues[K]): void;
  /** Forgets everything but these, and reports every key to its listeners. Where it cannot be written, as `set`. */
  reset(except: Partial<SettingsValues>): void;
  /** Calls back after every `set` of this key, and every `reset`. Returns the unsubscribe function. */
  onSet<K extends keyof SettingsValues>(key: K, listener: (value: SettingsValues[K]) => void): () => void;
}

/** Storage of the settings. */
export interface SettingsStore {
  /** Everything, as it was found; not trusted to have any shape. */
  read(): unknown;
  /** May fail. */
  write(values: SettingsValues): void;
}

/** Makes settings over a store. Reads it once; a value that does not parse counts as never set, and the others stay. */
export function createSettings(store: SettingsStore): Settings {
  const found = settingsSchema.safeParse(store.read());
  let values = found.success ? found.data : settingsSchema.parse({});
  const listeners = new Set<{ key: keyof SettingsValues; call: () => void }>();

  function write(): void {
    try {
      store.write(values);
    } catch {
      // A full disk must not take the window down.
    }
  }

  return {
    get: (key) => values[key],
    set(key, value) {
      values[key] = value;
      write();
      for (const listener of listeners) if (listener.key === key) listener.call();
    },
    reset(except) {
      values = { ...settingsSchema.parse({}), ...except };
      write();
      for (const listener of listeners) listener.call();
    },
    onSet(key, listener) {
      const entry = { key, call: () => listener(values[key]) };
      listeners.add(entry);
      return () => listeners.delete(entry);
    },
  };
}

/**
 * Opens `settings.json` in the folder of this user's app data. A damaged file begins again; if none can be opened,
 * settings last for this run.
 */
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
