import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks per second of /proc/<pid>/stat on Linux. */
const ticksPerSecond = 100;

/** Seconds of one processor that the app's main process and everything below it have used. */
export function processorSecondsOf(userData: string): number {
  return processesOf(userData).reduce((sum, { ticks }) => sum + ticks, 0) / ticksPerSecond;
}

/** Memory of the app's main process and everything below it, in bytes: pages that several share count once. */
export function memoryOf(userData: string): number {
  return processesOf(userData).reduce((sum, { pid }) => sum + proportionalBytes(pid), 0);
}

interface Process {
  pid: number;
  parent: number;
  ticks: number;
  command: string;
}

function processesOf(userData: string): Process[] {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap(processOf);
  const main = processes.filter(({ command }) => command.includes(`--user-data-dir=${userData}`));
  const counted = new Set(main.map(({ pid }) => pid));
  // Children come after their parents often, but not always.
  for (let found = -1; found !== counted.size;) {
    found = counted.size;
    for (const { pid, parent } of processes) if (counted.has(parent)) counted.add(pid);
  }
  return processes.filter(({ pid }) => counted.has(pid));
}

/** A process as /proc shows it (proc(5)); none when it has just ended. */
function processOf(name: string): Process[] {
  try {
    const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const command = readFileSync(`/proc/${name}/cmdline`, 'utf8');
    return [
      { pid: Number(name), parent: fields[1] ?? 0, ticks: (fields[11] ?? 0) + (fields[12] ?? 0), command },
    ];
  } catch {
    return [];
  }
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
