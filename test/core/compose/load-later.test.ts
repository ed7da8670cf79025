import { setImmediate as nextTick } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { preloadLibraries } from '#core/compose/load-later.ts';
import { loadMcpServer } from '#core/mcp-server/index.ts';
import { systemClock } from '#core/platform/clock.ts';

/** Starts the loading with timers that the test fires. */
function begin() {
  const timers: (() => void)[] = [];
  const after = (_delayMs: number, call: () => void): (() => void) => {
    timers.push(call);
    return () => {};
  };
  const end = preloadLibraries({ ...systemClock, after }, 1_000);
  return { timers, end };
}

async function loaded(): Promise<void> {
  await loadMcpServer();
  await nextTick();
}

test('libraries are loaded one after the other with a pause between them', async () => {
  const { timers } = begin();
  expect(timers).toHaveLength(1);
  timers.at(-1)?.();
  expect(timers).toHaveLength(1);
  await expect.poll(() => timers.length).toBe(2);
});

test('no further library is loaded if the core ends meanwhile', async () => {
  const { timers, end } = begin();
  timers.at(-1)?.();
  end();
  await loaded();
  expect(timers).toHaveLength(1);
});
