import type { Clock } from '#core/platform/clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import {
  createRemoteClient,
  createUrlPolicy,
  type RemoteAccess,
  type RemoteClient,
} from '#core/service-client/index.ts';
import type { DoctorReport } from '#shared/app-api/index.ts';
import { encodeError } from '#shared/errors/index.ts';
import { type Asker, createAsker } from './answers/ask.ts';
import type { DiagnosticTarget } from './diagnostic-target.ts';
import { createMask } from './report/mask.ts';
import { createProgress, type Progress } from './report/progress.ts';
import { type Examination, failed, type Finding, skipped, type Step } from './steps/step.ts';
import { steps } from './steps/steps.ts';
import type { Formats } from '#shared/lib/formats.ts';

export interface ExamineOptions {
  target: DiagnosticTarget;
  /** One request and its answer, in milliseconds. */
  timeoutMs: number;
  clock: Clock;
  logger: Logger;
  /** Ends it: what was not asked yet is skipped. */
  signal: AbortSignal;
  /** Called whenever a step begins or ends. */
  onProgress(report: DoctorReport): void;
}

/**
 * Examines a service, step by step, by reads alone: nothing is registered or changed there, and nothing stored but an access
 * that had to be renewed. Every step ends with a finding; never fails because of the service.
 */
export async function examine(options: ExamineOptions, formats: Formats): Promise<DoctorReport> {
  const { target, clock, onProgress } = options;
  const mask = createMask();
  const remember = (): void => storedSecrets(target).forEach(mask.add);
  remember();
  const progress = createProgress({ target, steps, startedAtMs: clock.nowMs(), mask, onProgress, formats });
  const asker = createAsker(options);
  const { examination, end } = prepare(options, { asker, onToken: mask.add });
  options.signal.addEventListener('abort', () => void end(), { once: true });
  try {
    for (const step of steps) await look(step, { examination, asker, progress, remember }, formats);
  } finally {
    await end();
  }
  progress.finish(clock.nowMs());
  return progress.report();
}

function storedSecrets({ memberToken, publisherKey, grants }: DiagnosticTarget): string[] {
  const loaded = grants?.load();
  const grant = loaded?.kind === 'held' ? [loaded.grant.accessToken, loaded.grant.refreshToken] : [];
  return [memberToken, publisherKey, ...grant].filter((secret) => secret !== null);
}

function prepare(
  { target, timeoutMs, clock, logger, signal }: ExamineOptions,
  { asker, onToken }: { asker: Asker; onToken(token: string): void },
): { examination: Omit<Examination, 'found'>; end(): Promise<void> } {
  const { mcpUrl } = target.addresses;
  const access = target.access === null ? null : watchedAccess(target.access, onToken);
  let remote: RemoteClient | null = null;
  const examination: Omit<Examination, 'found'> = {
    target,
    ask: asker.ask,
    policy: createUrlPolicy({ mcpUrl }),
    access,
    remote() {
      if (access === null) throw new Error('There is no sign-in');
      return (remote ??= createRemoteClient({ mcpUrl, access, timeoutMs, logger }));
    },
    facts: {
      issuer: null,
      resourceIsRight: false,
      server: null,
      signedIn: false,
      remoteOpen: false,
      tids: target.tid === undefined ? [] : [target.tid],
      openTid: null,
      somethingAnswered: false,
    },
    timeoutMs,
    signal,
    clock,
    logger,
  };
  return { examination, end: async () => remote?.dispose() };
}

async function look(
  step: Step,
  parts: {
    examination: Omit<Examination, 'found'>;
    asker: Asker;
    progress: Progress;
    remember(): void;
  },
  formats: Formats,
): Promise<void> {
  const { progress, asker, remember } = parts;
  const examination: Examination = {
    ...parts.examination,
    found: (finding) => progress.add(step, finding),
  };
  const { target, clock, signal, facts } = examination;
  const address = step.at(target);
  const silence = address === null ? null : asker.closed(address);
  const beforehand = signal.aborted
    ? stopped
    : silence === null
      ? (step.blocked?.(examination) ?? null)
      : skipped(silence);
  if (beforehand !== null) {
    progress.end(step, beforehand, null);
    return;
  }
  progress.begin(step);
  const startedAt = clock.monotonicMs();
  const finding = await examineSafely(step, examination, formats);
  // A sign-in or a renewal may have brought other ones.
  remember();
  facts.somethingAnswered ||= finding.state === 'ok' || finding.state === 'notice';
  progress.end(step, finding, clock.monotonicMs() - startedAt);
}

const stopped: Finding = skipped('The examination was stopped.');

/** A bug in one step is reported, and leaves the others their turn. */
async function examineSafely(step: Step, examination: Examination, formats: Formats): Promise<Finding> {
  try {
    return await step.examine(examination, formats);
  } catch (failure) {
    if (examination.signal.aborted) return stopped;
    examination.logger.error({ err: failure, step: step.id }, 'A step of the doctor failed');
    const { message, next } = encodeError(failure);
    return failed('nothing that could be read', { means: message, remedy: next });
  }
}

/** Wraps the access so that every token it hands out is masked in findings. */
function watchedAccess(access: RemoteAccess, onToken: (token: string) => void): RemoteAccess {
  const tell = async (given: Promise<string>): Promise<string> => {
    const token = await given;
    onToken(token);
    return token;
  };
  return { token: () => tell(access.token()), renew: (refused) => tell(access.renew(refused)) };
}
