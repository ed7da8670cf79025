import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

export interface ListedProcess {
  pid: number;
  parent: number;
  group: number;
  /** True if the process has ended but its parent has not collected it yet. In a container that state may last forever. */
  hasEnded: boolean;
  ticks: number;
  command: string;
}

export interface ProcessSystem {
  platform: NodeJS.Platform;
  kill(pid: number, signal: NodeJS.Signals): unknown;
  run(program: string, args: readonly string[]): number | null;
}

const thisSystem: ProcessSystem = {
  platform: process.platform,
  kill: (pid, signal) => process.kill(pid, signal),
  run: (program, args) => spawnSync(program, args, { stdio: 'ignore', windowsHide: true }).status,
};

const endLimitMs = 5_000;

/**
 * Options of `spawn` for a program that can be ended together with all programs that it started. POSIX uses process groups.
 * Windows follows parents, and would open a console for a detached program.
 */
export function inOwnTree(platform: NodeJS.Platform = process.platform): { detached: boolean } {
  return { detached: platform !== 'win32' };
}

export function endTree(pid: number, { platform, kill, run }: ProcessSystem = thisSystem): boolean {
  if (platform === 'win32') return run('taskkill', ['/PID', String(pid), '/T', '/F']) === 0;
  try {
    kill(-pid, 'SIGKILL');
    return true;
  } catch {
    return false;
  }
}

export async function endTrees(pids: readonly number[]): Promise<void> {
  const givenUpAtMs = Date.now() + endLimitMs;
  for (const pid of pids) {
    while (endTree(pid) && isTreeRunning(pid)) {
      if (Date.now() > givenUpAtMs) throw new Error(`Processes of group ${pid} do not end`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

function isTreeRunning(group: number): boolean {
  if (process.platform !== 'linux') return true;
  return listProcesses().some((listed) => listed.group === group && !listed.hasEnded);
}

/** True if any process with this id runs. A process that has ended but was not collected by its parent does not count. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // The process belongs to another user.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  return findProcess(pid)?.hasEnded !== true;
}

/** All processes of the machine; empty on systems without /proc. */
export function listProcesses(): ListedProcess[] {
  return processNumbers().flatMap((pid) => findProcess(pid) ?? []);
}

export function findProcess(pid: number): ListedProcess | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The program's name before these fields is in parentheses, and may itself contain some.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, parent, group] = fields;
    return {
      pid,
      parent: Number(parent),
      group: Number(group),
      hasEnded: state === 'Z' || state === 'X',
      ticks: Number(fields[11]) + Number(fields[12]),
      command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' '),
    };
  } catch {
    return null;
  }
}

function processNumbers(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}
