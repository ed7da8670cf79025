import { ChildProcess } from 'node:child_process';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { applyFormats, usualFormats } from '#shared/lib/shown-formats.ts';
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

let before = 0;

beforeAll(() => {
  before = countOpen();
});

// The formats belong to the process, which tests share.
afterEach(() => applyFormats(usualFormats, 'UTC'));

// Hooks of a set-up file end last, after those of the test file.
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
