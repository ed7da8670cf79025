import { powerMonitor } from 'electron';
import type { CoreSupervisor } from '../core-link/index.ts';

/** What the core hears of the machine. A locked screen is like sleep: whoever comes back has to see a change anew. */
const heard = [
  ['suspend', 'suspend'],
  ['resume', 'resume'],
  ['lock-screen', 'suspend'],
  ['unlock-screen', 'resume'],
] as const;

/** Tells the core when the machine goes to sleep, wakes up, and is locked. */
export function setUpPower(core: Pick<CoreSupervisor, 'suspend' | 'resume'>): void {
  const events: NodeJS.EventEmitter = powerMonitor;
  for (const [event, call] of heard) events.on(event, () => core[call]());
}
