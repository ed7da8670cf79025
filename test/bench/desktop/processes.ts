import { readFileSync } from 'node:fs';
import { listProcesses, type ListedProcess } from '../../../scripts/lib/processes.ts';

const ticksPerSecond = 100;

/** Seconds of processor time used so far by the app's main process and its descendants. */
export function processorSecondsOf(userData: string): number {
  return processesOf(userData).reduce((sum, { ticks }) => sum + ticks, 0) / ticksPerSecond;
}

/** Memory of the app's main process and its descendants, in bytes. Shared pages count once. */
export function memoryOf(userData: string): number {
  return processesOf(userData).reduce((sum, { pid }) => sum + proportionalBytes(pid), 0);
}

/** Lists the app's main process and its descendants. */
export function processesOf(userData: string): ListedProcess[] {
  const processes = listProcesses();
  const main = processes.filter(({ command }) => command.includes(`--user-data-dir=${userData}`));
  const counted = new Set(main.map(({ pid }) => pid));
  // Children usually come after their parents in the list, but not always.
  for (let found = -1; found !== counted.size;) {
    found = counted.size;
    for (const { pid, parent } of processes) if (counted.has(parent)) counted.add(pid);
  }
  return processes.filter(({ pid }) => counted.has(pid));
}

/** The proportional set size of a process in bytes; 0 if the process has just ended. */
function proportionalBytes(pid: number): number {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return Number(/^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
