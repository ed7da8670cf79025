import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A private folder of this test's own; gone when the test has ended. */
export function tempFolder(): string {
  return folderIn(tmpdir());
}

/** The same on a disk, also in tests whose other files lie in memory: for what is about fsync, and writes at its pace. */
export function folderOnDisk(): string {
  return folderIn(tmpdir() === '/dev/shm' ? '/var/tmp' : tmpdir());
}

function folderIn(parent: string): string {
  const folder = mkdtempSync(join(parent, 'countersign-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
