import type { Connections } from '#core/connections/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { DoctorReport } from '#shared/app-api/index.ts';
import type { DiagnosticTarget } from './diagnostic-target.ts';
import { examine } from './examine.ts';
import type { Formats } from '#shared/lib/formats.ts';

export interface DoctorController extends AsyncDisposable {
  /**
   * Returns the profile's running examination, or starts one and ends
   * that of another profile. Fails as `Connections.credentialsOf`.
   */
  start(profileId: string): DoctorReport;
  get(): DoctorReport | null;
  stop(): DoctorReport | null;
  /** Ends the examination, because the profile leaves its service. */
  leave(profileId: string): void;
}

interface DoctorControllerOptions {
  connections: Pick<Connections, 'credentialsOf'>;
  timeoutMs: number;
  clock: Clock;
  logger: Logger;
  onChange(): void;
  formats(): Formats;
}

interface UnderWay {
  profileId: string;
  abort: AbortController;
  ended: Promise<void>;
}

export function createDoctorController(options: DoctorControllerOptions): DoctorController {
  const { connections, timeoutMs, clock, logger, onChange, formats } = options;
  let report: DoctorReport | null = null;
  let latest: UnderWay | null = null;
  const running = new Set<UnderWay>();

  function begin(target: DiagnosticTarget, profileId: string): void {
    const abort = new AbortController();
    const current: UnderWay = { profileId, abort, ended: Promise.resolve() };
    latest = current;
    running.add(current);
    const show = (shown: DoctorReport): void => {
      if (latest !== current) return;
      report = shown;
      onChange();
    };
    current.ended = examine(
      { target, timeoutMs, clock, logger, signal: abort.signal, onProgress: show },
      formats(),
    )
      .catch((failure: unknown) => logger.error({ err: failure }, 'The doctor failed'))
      .then(() => void running.delete(current));
  }

  return {
    start(profileId) {
      const isUnderWay =
        latest?.profileId === profileId && running.has(latest) && !latest.abort.signal.aborted;
      if (!isUnderWay || report === null) {
        const target = targetOf(connections.credentialsOf(profileId));
        latest?.abort.abort();
        begin(target, profileId);
      }
      if (report === null) throw new Error('An examination begins with a report');
      return report;
    },
    get: () => report,
    stop() {
      latest?.abort.abort();
      return report;
    },
    leave(profileId) {
      for (const underWay of running) if (underWay.profileId === profileId) underWay.abort.abort();
    },
    async dispose() {
      latest?.abort.abort();
      await Promise.all([...running].map(({ ended }) => ended));
    },
  };
}

function targetOf({ profile, ...opens }: ReturnType<Connections['credentialsOf']>): DiagnosticTarget {
  const { id, name, addresses, remoteAccess } = profile;
  return { ...opens, subject: name, profileId: id, addresses, remoteAccess };
}
