import { writeSync } from 'node:fs';
import { type Backend, createFaults, type Faults } from '#core/backend/index.ts';
import { composeCore, type Core } from '#core/compose/compose.ts';
import { type Clock, systemClock } from '#core/platform/clock.ts';
import { armingDelayMs, type Display } from '#shared/host-api/index.ts';

/** The core of a program that will be killed, with its own clock and a person who approves without a window. */
export interface KilledCore {
  core: Core;
  /** The embedded service with its faults. */
  service: Backend;
  faults: Faults;
  /** Advances the core's clock. */
  pass(ms: number): void;
  /** Shows the proposal, waits until the buttons are armed, and approves. Resolves with the final state. */
  approve(id: string): Promise<string>;
}

/** Writes a line at once, so that the parent reads every acknowledgement, however this process ends. */
export const say = (line: string): void => void writeSync(1, `${line}\n`);

/** Opens the core on a data folder. `dataKey` is in hexadecimal; `aheadMs` is how far its clock is ahead. */
export async function openKilledCore(options: {
  folder: string;
  dataKey: string;
  aheadMs: number;
}): Promise<KilledCore> {
  let offsetMs = options.aheadMs;
  const clock: Clock = {
    ...systemClock,
    nowMs: () => systemClock.nowMs() + offsetMs,
    monotonicMs: () => systemClock.monotonicMs() + offsetMs,
  };
  const pass = (ms: number): void => {
    offsetMs += ms;
  };
  const faults = createFaults();
  let display: Display | undefined;
  let service: Backend | undefined;
  const core = await composeCore({
    dataFolder: options.folder,
    host: 'terminal',
    version: '0.0.0',
    dataKey: Buffer.from(options.dataKey, 'hex'),
    confirmer: {
      via: 'terminal',
      show: async (shown) => {
        display = shown;
        return { address: null };
      },
      hide() {},
    },
    clock,
    faults,
    timeouts: { requestMs: 10_000 },
    demoCampaigns: 20,
    onDemoService: (made) => (service = made),
  });
  if (service === undefined) throw new Error('There is no embedded service');

  async function approve(id: string): Promise<string> {
    await core.handlers['proposals.review']({ id });
    if (display === undefined) throw new Error('Nothing was shown');
    core.confirmation.seen(display);
    pass(armingDelayMs);
    const { displayId, nonce, fingerprint } = display;
    const { proposal } = await core.confirmation.decide({
      displayId,
      nonce,
      fingerprint,
      decision: 'approve',
      reason: null,
      typed: null,
    });
    return proposal.state;
  }

  return { core, service, faults, pass, approve };
}
