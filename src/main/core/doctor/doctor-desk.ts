import type { Connections } from '#core/connections/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { DoctorReport } from '#shared/app-api/index.ts';

/** The examination under way, and the last one of this run. */
export interface DoctorDesk extends AsyncDisposable {
  /** Fails with `profile_unknown` or `live_on_desktop_only`. */
  start(profileId: string): DoctorReport;
  get(): DoctorReport | null;
  stop(): DoctorReport | null;
}

export interface DoctorDeskOptions {
  connections: Pick<Connections, 'credentialsOf'>;
  timeoutMs: number;
  clock: Clock;
  logger: Logger;
  onChange(): void;
}

export function createDoctorDesk(_options: DoctorDeskOptions): DoctorDesk {
  const notYet = (): never => {
    throw new Error('not yet');
  };
  return { start: notYet, get: () => null, stop: () => null, dispose: async () => {} };
}
