import { readdirSync, readFileSync } from 'node:fs';

/** Ends what is left of process groups at once, and resolves when nothing of them runs. Fails after five seconds. */
export async function endGroups(pids: readonly number[]): Promise<void> {
  const givenUpAtMs = Date.now() + 5_000;
  for (const pid of pids) {
    while (killGroup(pid) && isRunning(pid)) {
      if (Date.now() > givenUpAtMs) throw new Error(`Processes of group ${pid} do not end`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

/** Ends a process group at once; whether there was anything left of it. */
export function killGroup(pid: number): boolean {
  try {
    return process.kill(-pid, 'SIGKILL');
  } catch {
    return false;
  }
}

/** Whether a group has more than ended processes that were not waited for: in a container that may stay so for ever. */
function isRunning(group: number): boolean {
  if (process.platform !== 'linux') return true;
  return readdirSync('/proc').some((name) => {
    const fields = /^\d+$/.test(name) ? statusOf(name) : null;
    return fields !== null && Number(fields[2]) === group && fields[0] !== 'Z';
  });
}

/** State, parent, group and more of a process, as proc(5) lists them after its name; null when it is gone. */
function statusOf(pid: string): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}
