import { practiceFaults, type PracticeFault } from '#shared/app-api/index.ts';
import type { ServiceFault, ServiceFaults } from '../workspace-core.ts';

/** The faults that practice has armed. */
export interface ArmedFaults {
  /** In the order of the panel; what a request has consumed is gone. */
  armed(): PracticeFault[];
  /** Does nothing for a fault that is armed. */
  arm(fault: PracticeFault): void;
  disarm(fault: PracticeFault): void;
}

/** Long enough to be noticed, and less than a request's time. */
const slowMs = 4_000;

const nextWrite = (status: 402 | 409 | 421 | 429 | 503): ServiceFault => ({
  kind: 'answer',
  status,
  method: 'PUT',
});

/**
 * The faults of the service behind each of the panel. Those that hit one request wait for the next write, since the app reads by itself.
 * Without a sign-in no token is accepted and none is issued; member REST, which needs neither, goes on.
 */
const parts: Readonly<Record<PracticeFault, readonly ServiceFault[]>> = {
  'no-balance': [nextWrite(402)],
  conflict: [nextWrite(409)],
  'wrong-server': [nextWrite(421)],
  'too-many-requests': [nextWrite(429)],
  'not-available': [nextWrite(503)],
  'lost-answer': [{ kind: 'cut-after-write' }],
  slow: [{ kind: 'slow', ms: slowMs, lasts: true }],
  'tools-down': [{ kind: 'answer', status: 503, path: '/mcp', lasts: true }],
  'sign-in-down': [
    { kind: 'answer', status: 401, path: '/mcp', lasts: true },
    { kind: 'not-ready', part: 'oauth_storage' },
  ],
};

export function createArmedFaults(faults: ServiceFaults): ArmedFaults {
  const armed = new Map<PracticeFault, { isArmed(): boolean; disarm(): void }>();
  const isArmed = (fault: PracticeFault): boolean => armed.get(fault)?.isArmed() === true;
  return {
    armed: () => practiceFaults.filter(isArmed),
    arm(fault) {
      if (isArmed(fault)) return;
      // Another object each time: a fault is known by its identity.
      const made = parts[fault].map((part) => ({ ...part }));
      const disarms = made.map((part) => faults.arm(part));
      armed.set(fault, {
        isArmed: () => made.every((part) => faults.has(part)),
        disarm: () => disarms.forEach((disarm) => disarm()),
      });
    },
    disarm(fault) {
      armed.get(fault)?.disarm();
      armed.delete(fault);
    },
  };
}
