import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { settingsSchema, type SettingsValues } from '#shared/host-api/index.ts';
import { writeWholeFileSync } from '#system/replace-file.ts';
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
export function openSettings(folder: string, log: DesktopLog): Settings {
  try {
    return createSettings(openSettingsFile(join(folder, 'settings.json')));
  } catch (failure) {
    const code = failure instanceof Error && 'code' in failure ? failure.code : null;
    log.warn({ code }, 'The settings cannot be opened: they last for this run');
    return createSettings({ read: () => ({}), write: () => undefined });
  }
}

/** Reads the file now, and writes it whole. Fails as the file system does where one is there that cannot be read. */
export function openSettingsFile(file: string): SettingsStore {
  const found = readJson(file);
  return {
    read: () => found,
    write: (values) => writeWholeFileSync(file, `${JSON.stringify(values, null, 2)}\n`),
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
