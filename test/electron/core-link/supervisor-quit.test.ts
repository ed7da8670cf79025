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

test('quitting asks a ready core to end and waits until it has', async () => {
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

test('a core that does not end within 20 s is killed', async () => {
  const stage = createReadyStage();
  const quitting = quit(stage);
  stage.clock.advance(19_999);
  expect(stage.core().kills).toBe(0);
  stage.clock.advance(1);
  expect(stage.core().kills).toBe(1);
  stage.core().exits(null);
  expect(await quitting.isOver()).toBe(true);
});

test('a running write gets its answer while quitting, and new requests are refused', async () => {
  const stage = createReadyStage();
  const deciding = stage.supervisor.ask('confirmation', 'decide', {});
  quit(stage);
  await expect(stage.supervisor.ask('app', 'a', {})).rejects.toMatchObject(unreachable);
  stage.core().says({ kind: 'answer', id: 1, output: 'verified' });
  expect(await deciding).toBe('verified');
});

test('a request without an answer is refused at the end', async () => {
  const stage = createReadyStage();
  const asked = stage.supervisor.ask('app', 'a', {});
  quit(stage);
  stage.core().exits(0);
  await expect(asked).rejects.toMatchObject(unreachable);
});

test('quitting while the core starts refuses waiting requests and asks the core to end', async () => {
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

test('a core that was never started is killed immediately', async () => {
  const stage = createStage();
  stage.supervisor.preload();
  const quitting = quit(stage);
  expect(stage.core().kills).toBe(1);
  stage.supervisor.begin(start);
  expect(stage.core().heard).toEqual([]);
  stage.core().exits(null);
  expect(await quitting.isOver()).toBe(true);
});

test('quitting without a process ends immediately, and none is launched later', async () => {
  const stage = createStage();
  expect(await quit(stage).isOver()).toBe(true);
  stage.supervisor.preload();
  stage.supervisor.begin(start);
  stage.supervisor.retry();
  expect(stage.cores).toHaveLength(0);
  await expect(stage.supervisor.ask('app', 'a', {})).rejects.toMatchObject(unreachable);
});

test('quitting between two restarts ends immediately, and no restart follows', async () => {
  const stage = createReadyStage();
  stage.core().exits(1);
  expect(await quit(stage).isOver()).toBe(true);
  stage.clock.advance(600_000);
  expect(stage.cores).toHaveLength(1);
});

test('quitting does not wait for a stopped core whose process has ended', async () => {
  const stage = createStage();
  stage.supervisor.begin(start);
  stage.core().says({ kind: 'failed', error: encodeError(new AppError('data_folder_locked')) });
  stage.core().exits(1);
  expect(await quit(stage).isOver()).toBe(true);
});

test('quitting waits for a failed core that is still ending, and kills it if it hangs', async () => {
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

test('quitting twice asks the core once, and both end together', async () => {
  const stage = createReadyStage();
  const first = quit(stage);
  const second = quit(stage);
  expect(stage.core().heard.filter(({ kind }) => kind === 'quit')).toHaveLength(1);
  stage.core().exits(0);
  expect([await first.isOver(), await second.isOver()]).toEqual([true, true]);
});
