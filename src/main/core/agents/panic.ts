import type { Ledger } from '#core/ledger/index.ts';
import type { Connections } from '#core/connections/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { Gate } from '#core/proposals/index.ts';
import type { AppStore } from '#core/store/app/index.ts';
import type { AppOutput, PanicSet } from '#shared/app-api/index.ts';
import type { Freeze } from './freeze.ts';

/** One control that stops everything: agents are frozen, and one pause of a saved set waits for its confirmation. */
export interface Panic {
  get(): AppOutput<'panic.get'>;
  setCampaigns(set: PanicSet): void;
  start(): Promise<AppOutput<'panic.start'>>;
  resume(): Promise<AppOutput<'panic.resume'>>;
}

export interface PanicOptions {
  store: AppStore;
  ledger: Pick<Ledger, 'append'>;
  connections: Pick<Connections, 'current'>;
  gate: Pick<Gate, 'proposeStatus' | 'proposeSeveral' | 'review' | 'get' | 'agents'>;
  freeze: Freeze;
  clock: Clock;
}

export function createPanic(_options: PanicOptions): Panic {
  const missing = (): never => {
    throw new Error('not yet');
  };
  return {
    get: () => ({ set: { kind: 'running' }, paused: null }),
    setCampaigns() {},
    start: missing,
    resume: missing,
  };
}
