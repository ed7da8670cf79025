import { expect, onTestFinished, test, vi } from 'vitest';
import { createDataStore } from '#renderer/stores/data-store.ts';
import { AppError } from '#shared/errors/index.ts';
import { fakeBridge } from '#test/renderer/support/fake-bridge.ts';

const found = {
  madeAtMs: 1,
  version: '0.1.0',
  ledger: { rows: 3, head: 'ab' },
  current: { rows: 5, head: 'cd' },
  profiles: 1,
  open: 2,
  agents: 0,
};

/** A core with a backup of three parts, and a file that records its content. */
function withBackup(
  options: { name?: string | null; deletion?: Promise<object>; check?: () => typeof found } = {},
) {
  const { name = 'mine.countersign', check = () => found } = options;
  const parts = ['one ', 'two ', 'three'];
  const taken: string[] = [];
  const bridge = fakeBridge({
    'data.get': () => ({ lastBackupAtMs: null, lastRestore: null, replaced: [] }),
    'data.backupStart': () => ({ id: 'b1', name: 'usual.countersign', bytes: 13 }),
    'data.backupPart': ({ offset }) => ({
      bytes: btoa(parts[offset] ?? ''),
      next: offset < 2 ? offset + 1 : null,
    }),
    'data.backupEnd': () => ({}),
    'data.restoreStart': () => ({ id: 'r1' }),
    'data.restorePart': ({ bytes }) => (taken.push(atob(bytes)), {}),
    'data.restoreCheck': check,
    'data.restoreDrop': () => ({}),
    'data.restore': () => ({}),
    'data.delete': async () => ({ ...(await options.deletion) }),
  });
  const reloads: string[] = [];
  const file = { text: '', end: '' };
  const store = createDataStore({
    bridge,
    newFile: async () =>
      name === null
        ? null
        : {
            name,
            add: async (part) => void (file.text += Buffer.from(part).toString()),
            end: async (keep) => void (file.end = keep ? 'kept' : 'thrown away'),
          },
    reload: (place) => void reloads.push(place),
  });
  const asked = (request: string): unknown[] =>
    bridge.asked.filter((one) => one.name === request).map(({ input }) => input);
  return { store, bridge, file, taken, asked, reloads };
}

test('a backup is written part by part into the chosen file, and then counts as saved', async () => {
  const { store, file, asked } = withBackup();
  await store.getState().backUp();
  expect(file).toEqual({ text: 'one two three', end: 'kept' });
  expect(store.getState().flow).toEqual({ kind: 'saved', name: 'mine.countersign' });
  expect(asked('data.backupEnd')).toEqual([{ id: 'b1', isSaved: true }]);
});

test('a backup for which no file is chosen is discarded and does not count as saved', async () => {
  const { store, asked } = withBackup({ name: null });
  await store.getState().backUp();
  expect(store.getState().flow).toEqual({ kind: 'idle' });
  expect(asked('data.backupPart')).toEqual([]);
  expect(asked('data.backupEnd')).toEqual([{ id: 'b1', isSaved: false }]);
});

test('a backup is uploaded completely, and restored only after a check and a second press', async () => {
  const { store, taken, asked } = withBackup();
  const bytes = 'x'.repeat(900_000);
  await store.getState().check(new File([bytes], 'mine.countersign'));
  expect(taken.join('')).toBe(bytes);
  expect(store.getState().restore).toEqual({ kind: 'checked', id: 'r1', name: 'mine.countersign', found });
  expect(asked('data.restore')).toEqual([]);
  await store.getState().restoreChecked();
  expect(asked('data.restore')).toEqual([{ id: 'r1' }]);
  expect(store.getState().restore).toEqual({ kind: 'restoring' });
});

test('a file that is not a backup is refused with the reason, and cannot be restored', async () => {
  const { store, asked } = withBackup({
    check: () => {
      throw new AppError('backup_unreadable');
    },
  });
  await store.getState().check(new File(['notes'], 'notes.countersign'));
  expect(store.getState()).toMatchObject({
    restore: { kind: 'idle' },
    refusal: { of: 'check', failure: { code: 'backup_unreadable' } },
  });
  await store.getState().restoreChecked();
  expect(asked('data.restore')).toEqual([]);
});

test.each([
  ['at the same address after a restore', null, 'same page'],
  ['at the campaigns after a deletion, with the stored preferences cleared', 'in time', 'campaigns'],
  ['at the campaigns if the answer to a deletion arrives after the event', 'late', 'campaigns'],
  ['at the campaigns if the answer to a deletion was lost', 'lost', 'campaigns'],
  ['at the same address after a restore that follows a refused deletion', 'refused', 'same page'],
] as const)('the page reloads after the data was replaced: %s', async (_, deletion, place) => {
  const answer = Promise.withResolvers<object>();
  const { store, bridge, reloads } = withBackup({ deletion: answer.promise });
  onTestFinished(store.getState().start());
  const clear = vi.fn<() => void>();
  vi.stubGlobal('localStorage', { clear });
  onTestFinished(() => void vi.unstubAllGlobals());
  const done = deletion === null ? null : store.getState().deleteAll();
  if (deletion === 'in time') answer.resolve({});
  if (deletion === 'lost') answer.reject(new AppError('core_unreachable'));
  if (deletion === 'refused') answer.reject(new AppError('storage_failed'));
  if (deletion !== 'late') await done;
  bridge.emit({ kind: 'data.replaced' });
  answer.resolve({});
  await done;
  expect(clear).toHaveBeenCalledTimes(place === 'campaigns' ? 1 : 0);
  expect(reloads).toEqual([place]);
});
