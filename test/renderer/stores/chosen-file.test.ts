import { expect, test } from 'vitest';
import { createDataStore } from '#renderer/stores/data-store.ts';
import { createBulkFileStore } from '#renderer/stores/bulk/bulk-file-store.ts';
import { createResultsStore } from '#renderer/features/training/stores/results-store.ts';
import { createUploadsStore } from '#renderer/features/editor/stores/uploads-store.ts';
import { partsOf } from '#renderer/stores/file-run.ts';
import type { AppHandlers } from '#shared/app-api/index.ts';
import { fakeBridge } from '../support/fake-bridge.ts';

/** A file that was saved again after it was chosen. A browser refuses to read such a file. */
function changedFile(type: string): File {
  const refuse = () => Promise.reject(new DOMException('It has changed', 'NotReadableError'));
  const file = new File(['picture'], 'file', { type });
  return Object.assign(file, { arrayBuffer: refuse, text: refuse, slice: () => changedFile(type) });
}

const bridge = fakeBridge({
  'bulk.fileStart': () => ({ id: 'f1' }),
  'data.restoreStart': () => ({ id: 'r1' }),
});
const noFile = async () => null;

test.each([
  [
    'a restore',
    async () => {
      const store = createDataStore({ bridge, newFile: noFile, reload: () => undefined });
      await store.getState().check(changedFile('application/zip'));
      expect(store.getState().restore).toEqual({ kind: 'idle' });
      return store.getState().refusal?.failure.code;
    },
  ],
  [
    'a bulk file',
    async () => {
      const store = createBulkFileStore({ bridge, newFile: noFile });
      expect(await store.getState().open(changedFile('text/csv'))).toBe(false);
      return store.getState().refusal?.failure.code;
    },
  ],
  [
    'a result of training',
    async () => {
      const store = createResultsStore(bridge, noFile);
      await store.getState().open([changedFile('application/json')]);
      return store.getState().refusal?.failure.code;
    },
  ],
])('%s reports a chosen file that cannot be read', async (_, open) => {
  expect(await open()).toBe('file_unreadable');
});

test('a picture that cannot be read is reported beside the file field', async () => {
  const store = createUploadsStore(bridge);
  await store.getState().choose({ cid: 7, kind: 'icon' }, changedFile('image/png'));
  expect(store.getState().chosen).toMatchObject({
    data: '',
    fault: expect.stringMatching(/^This file cannot be read.*Choose it again\.$/u),
  });
});

test('the latest chosen picture counts, however long an earlier picture takes to be read or proposed', async () => {
  const proposed = Promise.withResolvers<{ id: string }>();
  const store = createUploadsStore(
    fakeBridge({ 'uploads.propose': () => proposed.promise as ReturnType<AppHandlers['uploads.propose']> }),
  );
  const { choose, propose, cancel } = store.getState();
  const slow = (name: string): { file: File; read: () => void } => {
    const { promise, resolve } = Promise.withResolvers<ArrayBuffer>();
    const file = new File(['picture'], name, { type: 'image/png' });
    return {
      file: Object.assign(file, { arrayBuffer: () => promise }),
      read: () => resolve(new ArrayBuffer(7)),
    };
  };
  const at = { cid: 7, kind: 'icon' } as const;
  const name = (): string | undefined => store.getState().chosen?.fileName;
  const [first, second, third] = [slow('first.png'), slow('second.png'), slow('third.png')];

  const both = [choose(at, first.file), choose(at, second.file)];
  second.read();
  await both[1];
  first.read();
  await both[0];
  expect(name()).toBe('second.png');

  const proposing = propose();
  third.read();
  await choose(at, third.file);
  proposed.resolve({ id: 'p1' });
  expect(await proposing).toBe('p1');
  expect(name()).toBe('third.png');

  const cancelled = choose(at, third.file);
  cancel();
  await cancelled;
  expect(name()).toBeUndefined();
});

test('a file is read in parts, to its last byte', async () => {
  const parts: string[] = [];
  for await (const part of partsOf(new Blob(['one two three']), 5)) parts.push(atob(part));
  expect(parts).toEqual(['one t', 'wo th', 'ree']);
});
