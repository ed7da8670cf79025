import { ChildProcess } from 'node:child_process';
import { afterAll, beforeAll, vi } from 'vitest';
import { workerProcesses } from './worker-processes.ts';

/** Resources that a test file has to close itself: listeners, child processes and file watchers. */
const mustBeClosed = new Set(['TCPServerWrap', 'ProcessWrap', 'FSEventWrap']);

/** How long the operating system may take to report a closed thing as closed, in milliseconds. */
const graceMs = 3_000;

/** The open things of the kinds above, as Node names them. */
function openThings(): string[] {
  return process
    .getActiveResourcesInfo()
    .filter((kind) => mustBeClosed.has(kind))
    .toSorted();
}

/**
 * Ends the child processes that a failed test left behind: one that lives on holds the runner's output, and the runner would
 * wait for it for ever.
 */
function endChildren(): void {
  const { _getActiveHandles } = process as unknown as { _getActiveHandles(): unknown[] };
  for (const handle of _getActiveHandles()) {
    if (handle instanceof ChildProcess) handle.kill('SIGKILL');
  }
}

/** Things that this test file has to close: the worker ends its own processes. */
const countOpen = (): number => openThings().length - workerProcesses.count;

/** State of the process that a test file can change for the files after it. */
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

/** Names the changes of the process since then. New global names are left out: libraries keep many. */
function changesSince(before: ReturnType<typeof processState>): string[] {
  const now = processState();
  return [
    ...differentKeys(before.environment, now.environment).map((name) => `process.env.${name}`),
    ...differentKeys(before.replaceable, now.replaceable),
  ];
}

let before = 0;

// Taken here and not in a hook: a test file may change something while it is loaded.
const stateBefore = processState();

beforeAll(() => {
  before = countOpen();
});

// Hooks of a set-up file end last, after those of the test file.
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
