import { expect, test } from 'vitest';
import { AppError, encodeError } from '#shared/errors/index.ts';
import { createReadyStage, createStage, ready, start, type Stage } from './scripted-core.ts';

const unreachable = { code: 'core_unreachable' };

/** Quits. `isOver` tells whether the quit has completed. */
function quit({ supervisor }: Stage): { isOver(): Promise<boolean> } {
  let over = false;
  void supervisor.quit().then(() => (over = true));
  return {
    async isOver() {
      await Promise.resolve();
      return over;
    },
  };
}

test('a ready core is asked to end, and quitting is over when it is gone', async () => {
  const stage = createReadyStage();
  const quitting = quit(stage);
  expect(stage.core().heard.at(-1)).toEqual({ kind: 'quit' });
  expect(await quitting.isOver()).toBe(false);
  stage.core().exits(0);
  expect(await quitting.isOver()).toBe(true);
  stage.clock.advance(600_000);
  expect(stage.cores).toHaveLength(1);
  expect(stage.reported.map(({ kind }) => kind)).toEqual(['ready']);
});

test('a core that does not end within 20 s is ended', async () => {
  const stage = createReadyStage();
  const quitting = quit(stage);
  stage.clock.advance(19_999);
  expect(stage.core().kills).toBe(0);
  stage.clock.advance(1);
  expect(stage.core().kills).toBe(1);
  stage.core().exits(null);
  expect(await quitting.isOver()).toBe(true);
});

test('a write under way gets its answer while quitting; new requests are refused', async () => {
  const stage = createReadyStage();
  const deciding = stage.supervisor.ask('confirmation', 'decide', {});
  quit(stage);
  await expect(stage.supervisor.ask('app', 'a', {})).rejects.toMatchObject(unreachable);
  stage.core().says({ kind: 'answer', id: 1, output: 'verified' });
  expect(await deciding).toBe('verified');
});

test('a request that is not answered before the end is refused', async () => {
  const stage = createReadyStage();
  const asked = stage.supervisor.ask('app', 'a', {});
  quit(stage);
  stage.core().exits(0);
  await expect(asked).rejects.toMatchObject(unreachable);
});

test('while the core starts, what waits is refused and the core is asked to end, ready or not', async () => {
  const stage = createStage();
  stage.supervisor.begin(start);
  const waiting = stage.supervisor.ask('app', 'a', {});
  const quitting = quit(stage);
  await expect(waiting).rejects.toMatchObject(unreachable);
  stage.core().says(ready);
  expect(stage.core().heard.map(({ kind }) => kind)).toEqual(['start', 'quit']);
  expect(stage.reported).toEqual([]);
  stage.core().exits(0);
  expect(await quitting.isOver()).toBe(true);
});

test('a core that was never started has nothing to finish and is ended at once', async () => {
  const stage = createStage();
  stage.supervisor.preload();
  const quitting = quit(stage);
  expect(stage.core().kills).toBe(1);
  stage.supervisor.begin(start);
  expect(stage.core().heard).toEqual([]);
  stage.core().exits(null);
  expect(await quitting.isOver()).toBe(true);
});

test('without a process quitting is over at once, and nothing starts one any more', async () => {
  const stage = createStage();
  expect(await quit(stage).isOver()).toBe(true);
  stage.supervisor.preload();
  stage.supervisor.begin(start);
  stage.supervisor.retry();
  expect(stage.cores).toHaveLength(0);
  await expect(stage.supervisor.ask('app', 'a', {})).rejects.toMatchObject(unreachable);
});

test('between two tries quitting is over at once, and there is no other try', async () => {
  const stage = createReadyStage();
  stage.core().exits(1);
  expect(await quit(stage).isOver()).toBe(true);
  stage.clock.advance(600_000);
  expect(stage.cores).toHaveLength(1);
});

test('a stopped core whose process is gone is not waited for', async () => {
  const stage = createStage();
  stage.supervisor.begin(start);
  stage.core().says({ kind: 'failed', error: encodeError(new AppError('data_folder_locked')) });
  stage.core().exits(1);
  expect(await quit(stage).isOver()).toBe(true);
});

test('a failed core that is still on its way out is waited for, and ended when it hangs', async () => {
  const stage = createStage();
  stage.supervisor.begin(start);
  stage.core().says({ kind: 'failed', error: encodeError(new AppError('data_folder_locked')) });
  const quitting = quit(stage);
  stage.clock.advance(20_000);
  expect(stage.core().kills).toBe(1);
  expect(await quitting.isOver()).toBe(false);
  stage.core().exits(null);
  expect(await quitting.isOver()).toBe(true);
});

test('quitting twice asks once, and both are over together', async () => {
  const stage = createReadyStage();
  const first = quit(stage);
  const second = quit(stage);
  expect(stage.core().heard.filter(({ kind }) => kind === 'quit')).toHaveLength(1);
  stage.core().exits(0);
  expect([await first.isOver(), await second.isOver()]).toEqual([true, true]);
});
