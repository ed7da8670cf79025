import { expect, onTestFinished, test } from 'vitest';
import type { Connection } from '#core/connections/index.ts';
import { silentLogger as logger } from '#core/platform/logger.ts';
import { createMovableClock } from '#core/platform/clock.ts';
import { createTaskReader } from '#core/schedules/task-reader.ts';
import { createManualClock } from '#test/servers/manual-clock.ts';

test('a change during a reading has the tasks read again soon after it, not with the next interval', async () => {
  const clock = createManualClock();
  const answers: (() => void)[] = [];
  const connection = {
    profile: { id: 'live-1' },
    remote: {
      async callTool(name: string) {
        if (name === 'svc_list_tasks') await new Promise<void>((resolve) => answers.push(resolve));
        return { structuredContent: { status: 'success', data: [] } };
      },
    },
  } as unknown as Connection;
  const reader = createTaskReader({
    connections: { of: () => connection },
    watched: () => 'live-1',
    clock,
    serviceClock: clock,
    logger,
    onRead: async () => {},
    onChange: () => {},
  });
  onTestFinished(() => reader.dispose());
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

test('a task that comes due is read right after it, by the clock of its service', async () => {
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
  const connection = {
    profile: { id: 'live-1' },
    remote: {
      async callTool(name: string) {
        if (name === 'svc_list_tasks') lists += 1;
        return { structuredContent: { status: 'success', data: name === 'svc_list_tasks' ? [task] : [] } };
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
  await reader.read('live-1');
  expect(reader.of('live-1').tasks).toHaveLength(1);
  clock.advance(minuteMs);
  expect(lists).toBe(1);
  clock.advance(2_000);
  expect(lists).toBe(2);
});
