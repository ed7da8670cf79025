import { expect, onTestFinished, test } from 'vitest';
import type { Connection } from '#core/connections/index.ts';
import { silentLogger as logger } from '#core/platform/logger.ts';
import { type Clock, createMovableClock } from '#core/platform/clock.ts';
import { createTaskReader, type TaskReader } from '#core/schedules/task-reader.ts';
import { AppError } from '#shared/errors/index.ts';
import { createManualClock } from '#test/servers/manual-clock.ts';

function readerOf(
  listTasks: () => unknown,
  clock: Clock,
  serviceClock: Pick<Clock, 'nowMs'> = clock,
): TaskReader {
  const connection = {
    profile: { id: 'live-1' },
    remote: {
      async callTool(name: string) {
        const data = name === 'svc_list_tasks' ? await listTasks() : [];
        return { structuredContent: { status: 'success', data } };
      },
    },
  } as unknown as Connection;
  const reader = createTaskReader({
    connections: { of: () => connection },
    watched: () => 'live-1',
    clock,
    serviceClock,
    logger,
    onRead: async () => {},
    onChange: () => {},
  });
  onTestFinished(() => reader.dispose());
  return reader;
}

test('after a change during a read the tasks are read again soon, not only after the interval', async () => {
  const clock = createManualClock();
  const answers: (() => void)[] = [];
  const reader = readerOf(() => new Promise((resolve) => answers.push(() => resolve([]))), clock);
  const reading = reader.read('live-1');
  reader.readSoon();
  answers[0]?.();
  await reading;
  clock.advance(500);
  expect(answers).toHaveLength(2);
  answers[1]?.();
  await reader.read('live-1');
  clock.advance(500);
  expect(answers).toHaveLength(2);
});

test('tasks are read right after one becomes due by the service’s clock', async () => {
  const clock = createManualClock();
  const serviceClock = createMovableClock(clock, 3_600_000);
  const minuteMs = 60_000;
  const task = {
    id: 'mornings',
    kind: 'report_export',
    state: 'active',
    nextDueAt: new Date(serviceClock.nowMs() + minuteMs).toISOString(),
  };
  let lists = 0;
  const reader = readerOf(() => ((lists += 1), [task]), clock, serviceClock);
  await reader.read('live-1');
  expect(reader.of('live-1').tasks).toHaveLength(1);
  clock.advance(minuteMs);
  expect(lists).toBe(1);
  clock.advance(2_000);
  expect(lists).toBe(2);
});

test('one failed read delays a due task by seconds, and an unreachable service is asked less and less often', async () => {
  const clock = createManualClock();
  let lists = 0;
  const reader = readerOf(() => {
    lists += 1;
    throw new AppError('service_unreachable');
  }, clock);
  for (const [at, pauseMs] of [10_000, 20_000, 40_000, 80_000].entries()) {
    await reader.read('live-1');
    expect(reader.of('live-1').failure?.code).toBe('service_unreachable');
    clock.advance(pauseMs - 1);
    expect(lists).toBe(at + 1);
    clock.advance(1);
    expect(lists).toBe(at + 2);
  }
});
