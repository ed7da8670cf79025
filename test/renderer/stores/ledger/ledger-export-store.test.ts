import { expect, test } from 'vitest';
import { everyRow } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { createExportStore } from '#renderer/stores/ledger/export-store.ts';
import { fakeBridge, settled } from '../../support/fake-bridge.ts';

/** A ledger of three parts, and a file that records its content. */
function exporting(part: () => Promise<void> | void = () => {}) {
  const bridge = fakeBridge({
    'ledger.export': async ({ afterSeq, untilSeq }) => {
      await part();
      const next = afterSeq + 2;
      return {
        text: `rows after ${afterSeq} until ${untilSeq ?? 'the end'}\n`,
        rows: 2,
        total: 6,
        untilSeq: 6,
        next: next < 6 ? next : null,
      };
    },
  });
  const file = { text: '', end: '' };
  const names: string[] = [];
  const store = createExportStore({
    bridge,
    nowMs: () => Date.parse('2026-11-30T14:02:59Z'),
    newFile: async (name) => {
      names.push(name);
      return {
        name,
        add: async (text) => void (file.text += text),
        end: async (keep) => void (file.end = keep ? 'kept' : 'thrown away'),
      };
    },
  });
  return { store, file, names, bridge };
}

test('an export reads part after part up to a fixed end, and names its file when it is complete', async () => {
  const { store, file, names } = exporting();
  await store.getState().begin(everyRow);
  expect(names).toEqual(['countersign-ledger-2026-11-30-1402.jsonl']);
  expect(file.text).toBe('rows after 0 until the end\nrows after 2 until 6\nrows after 4 until 6\n');
  expect(file.end).toBe('kept');
  expect(store.getState().flow).toEqual({ kind: 'exported', name: names[0], rows: 6 });
  store.getState().dismiss();
  expect(store.getState().flow).toEqual({ kind: 'idle' });
});

test('a cancelled export leaves no file, and another export begins only after its end', async () => {
  const gates: (() => void)[] = [];
  const { store, file, bridge } = exporting(() => new Promise((resolve) => gates.push(resolve)));
  const first = store.getState().begin(everyRow);
  await settled();
  gates.shift()?.();
  await settled();
  expect(store.getState().flow).toEqual({ kind: 'running', unit: 'rows', done: 2, all: 6 });
  store.getState().cancel();
  store.getState().dismiss();
  expect(store.getState().flow).toEqual({ kind: 'cancelling' });
  await store.getState().begin(everyRow);
  gates.shift()?.();
  await first;
  expect(file).toMatchObject({ text: 'rows after 0 until the end\n', end: 'thrown away' });
  expect(bridge.asked).toHaveLength(2);
  expect(store.getState().flow).toEqual({ kind: 'idle' });
});

test('an export that fails halfway shows the reason and leaves no file', async () => {
  let parts = 0;
  const { store, file } = exporting(() => {
    parts += 1;
    if (parts === 2) throw new AppError('core_unreachable');
  });
  await store.getState().begin(everyRow);
  expect(store.getState().flow).toMatchObject({ kind: 'failed', failure: { code: 'core_unreachable' } });
  expect(file.end).toBe('thrown away');
});

test('nothing is read if no file was chosen', async () => {
  const bridge = fakeBridge({});
  const store = createExportStore({ bridge, nowMs: () => 0, newFile: async () => null });
  await store.getState().begin(everyRow);
  expect(bridge.asked).toEqual([]);
  expect(store.getState().flow).toEqual({ kind: 'idle' });
});
