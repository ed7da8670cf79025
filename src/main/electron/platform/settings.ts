import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type ElectronStore from 'electron-store';
import { settingsSchema, type SettingsValues } from '#shared/host-api/index.ts';
import type { DesktopLog } from './log.ts';

export interface Settings {
  get<K extends keyof SettingsValues>(key: K): SettingsValues[K];
  /** Stores the value. If the file cannot be written, the value is kept until the program ends. */
  set<K extends keyof SettingsValues>(key: K, value: SettingsValues[K]): void;
  reset(except: Partial<SettingsValues>): void;
  onSet<K extends keyof SettingsValues>(key: K, listener: (value: SettingsValues[K]) => void): () => void;
  /** The current write; null if there is none. Resolves when the latest values are stored or storing has failed; never rejects. */
  writing(): Promise<void> | null;
}

export interface SettingsStore {
  read(): unknown;
  write(values: SettingsValues): Promise<void>;
}

/** Reads the store once; an invalid value counts as not set. Writes only changed values, and reports failed writes. */
export function createSettings(
  store: SettingsStore,
  onWriteFailed: (failure: unknown) => void = () => undefined,
): Settings {
  const found = settingsSchema.safeParse(store.read());
  let values = found.success ? found.data : settingsSchema.parse({});
  const listeners = new Set<{ key: keyof SettingsValues; call: () => void }>();
  let writing: Promise<void> | null = null;

  function write(): void {
    const latest = { ...values };
    // A full disk must not close the window.
    const work = (writing ?? Promise.resolve()).then(() => store.write(latest)).catch(onWriteFailed);
    writing = work;
    void work.then(() => {
      if (writing === work) writing = null;
    });
  }

  return {
    get: (key) => values[key],
    set(key, value) {
      const isChanged = !isDeepStrictEqual(values[key], value);
      values[key] = value;
      if (isChanged) write();
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
    writing: () => writing,
  };
}

/** Opens `settings.json`. Replaces a damaged file; if the file cannot be opened, settings last until the program ends. */
export function openSettings(folder: string, log: DesktopLog): Settings {
  const warn = (failure: unknown, message: string): void => {
    const code = failure instanceof Error && 'code' in failure ? failure.code : null;
    log.warn({ code }, message);
  };
  try {
    return createSettings(openSettingsFile(folder), (failure) =>
      warn(failure, 'The settings were not written: they last for this run'),
    );
  } catch (failure) {
    warn(failure, 'The settings cannot be opened: they last for this run');
    return createSettings({ read: () => ({}), write: async () => undefined });
  }
}

/** Loads electron-store at the first write (docs/decisions/0059). Fails as the file system does if the file cannot be read. */
export function openSettingsFile(folder: string): SettingsStore {
  const found = readJson(join(folder, 'settings.json'));
  let store: ElectronStore<SettingsValues> | null = null;
  return {
    read: () => found,
    async write(values) {
      const { default: Store } = await import('electron-store');
      store ??= new Store({
        cwd: folder,
        name: 'settings',
        clearInvalidConfig: true,
        accessPropertiesByDotNotation: false,
        configFileMode: 0o600,
      });
      store.store = values;
    },
  };
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (failure) {
    const isAbsent = failure instanceof Error && 'code' in failure && failure.code === 'ENOENT';
    if (isAbsent || failure instanceof SyntaxError) return {};
    throw failure;
  }
}
