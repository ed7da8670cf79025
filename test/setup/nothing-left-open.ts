import { ChildProcess } from 'node:child_process';
import { afterAll, beforeAll, vi } from 'vitest';
import { workerProcesses } from './worker-processes.ts';

/** Resources that a test file must close itself: listeners, child processes and file watchers. */
const mustBeClosed = new Set(['TCPServerWrap', 'ProcessWrap', 'FSEventWrap']);

/** The milliseconds that the operating system may take to report a closed resource as closed. */
const graceMs = 3_000;

function openThings(): string[] {
  return process
    .getActiveResourcesInfo()
    .filter((kind) => mustBeClosed.has(kind))
    .toSorted();
}

/**
 * Ends the child processes that a failed test left. A child that lives on keeps the runner's output open, and the runner
 * would wait for it forever.
 */
function endChildren(): void {
  const { _getActiveHandles } = process as unknown as { _getActiveHandles(): unknown[] };
  for (const handle of _getActiveHandles()) {
    if (handle instanceof ChildProcess) handle.kill('SIGKILL');
  }
}

/** Counts the resources that this test file must close. The worker ends its own processes. */
const countOpen = (): number => openThings().length - workerProcesses.count;

/** State of the process that a test file can change for later files. */
function processState() {
  const { fetch, Date, setTimeout, setInterval, setImmediate, queueMicrotask } = globalThis;
  return {
    environment: { ...process.env } as Record<string, unknown>,
    replaceable: {
      fetch,
      Date,
      setTimeout,
      setInterval,
      setImmediate,
      queueMicrotask,
      'performance.now': performance.now,
    } as Record<string, unknown>,
  };
}

function differentKeys(before: Record<string, unknown>, now: Record<string, unknown>): string[] {
  return Object.keys({ ...before, ...now }).filter((key) => before[key] !== now[key]);
}

/** Returns the changes of the process since then. New global names are ignored, because libraries keep many. */
function changesSince(before: ReturnType<typeof processState>): string[] {
  const now = processState();
  return [
    ...differentKeys(before.environment, now.environment).map((name) => `process.env.${name}`),
    ...differentKeys(before.replaceable, now.replaceable),
  ];
}

let before = 0;

// Read here and not in a hook, because a test file may change the state while it is loaded.
const stateBefore = processState();

beforeAll(() => {
  before = countOpen();
});

// Hooks of a set-up file run last, after those of the test file.
afterAll(() => {
  if (vi.isFakeTimers()) {
    vi.useRealTimers();
    throw new Error('This test file left fake timers');
  }
  const changes = changesSince(stateBefore);
  if (changes.length > 0) throw new Error(`This test file left the process changed: ${changes.join(', ')}`);
});

afterAll(async () => {
  const givenUpAtMs = Date.now() + graceMs;
  while (countOpen() > before) {
    if (Date.now() > givenUpAtMs) {
      endChildren();
      throw new Error(`This test file left something open: ${openThings().join(', ')}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
});
