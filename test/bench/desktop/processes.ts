import { readFileSync } from 'node:fs';
import { listProcesses, type ListedProcess } from '../../../scripts/lib/processes.ts';

/** Clock ticks per second on Linux. */
const ticksPerSecond = 100;

/** Seconds of one processor that the app's main process and everything below it have used. */
export function processorSecondsOf(userData: string): number {
  return processesOf(userData).reduce((sum, { ticks }) => sum + ticks, 0) / ticksPerSecond;
}

/** Memory of the app's main process and everything below it, in bytes: pages that several share count once. */
export function memoryOf(userData: string): number {
  return processesOf(userData).reduce((sum, { pid }) => sum + proportionalBytes(pid), 0);
}

/** The app's main process and everything below it. */
export function processesOf(userData: string): ListedProcess[] {
  const processes = listProcesses();
  const main = processes.filter(({ command }) => command.includes(`--user-data-dir=${userData}`));
  const counted = new Set(main.map(({ pid }) => pid));
  // Children come after their parents often, but not always.
  for (let found = -1; found !== counted.size;) {
    found = counted.size;
    for (const { pid, parent } of processes) if (counted.has(parent)) counted.add(pid);
  }
  return processes.filter(({ pid }) => counted.has(pid));
}

/** A process's part of what is in memory, in bytes; 0 when it has just ended. */
function proportionalBytes(pid: number): number {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return Number(/^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
