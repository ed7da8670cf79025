import { readFileSync } from 'node:fs';
import { vi } from 'vitest';

/** The process of the core that an app runs, by the app's own process; resolves as soon as there is one. */
export function corePidOf(appPid: number): Promise<number> {
  return vi.waitUntil(
    () => childrenOf(appPid).find((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('core.js')),
    { timeout: 20_000, interval: 20 },
  );
}

function childrenOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return children === '' ? [] : children.split(' ').map(Number);
}
