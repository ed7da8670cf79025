import type { Clock } from '#core/platform/clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import {
  createRemoteClient,
  createUrlPolicy,
  type RemoteAccess,
  type RemoteClient,
} from '#core/service-client/index.ts';
import type { DoctorReport, ContractFinding, DoctorStep } from '#shared/app-api/index.ts';
import { AppError, encodeError } from '#shared/errors/index.ts';
import { type Asker, createAsker, type Answered, answerLine, clockSkew, listed } from './answers/ask.ts';
import type { DiagnosticTarget } from './diagnostic-target.ts';
import { createMask, type Mask, reportText } from './report/report-text.ts';
import { type Examination, failed, type Finding, skipped, type ExaminationStep, ok } from './steps/step.ts';
import { ownWords, type Sentence, sentence } from '#shared/lib/sentence.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { readySchema } from '#shared/contract/index.ts';
import { meaningOfNoAnswer } from './answers/no-answer.ts';
import { authorizationServer, protectedResource } from './steps/authorization-server.ts';
import { memberList, publisherReports, tools, whoami } from './steps/reads.ts';
import { registration, signIn } from './steps/sign-in.ts';
import { meaningOfRefusal, meaningOfStatus, refusalLine } from './answers/refusals.ts';
import { contract } from './contract/run-checks.ts';

export interface ExamineOptions {
  target: DiagnosticTarget;
  timeoutMs: number;
  clock: Clock;
  logger: Logger;
  signal: AbortSignal;
  onProgress(report: DoctorReport): void;
}

/**
 * Examines a service step by step, with reads only. Stores nothing but renewed
 * tokens. Every step ends with a finding. A failing service does not make it fail.
 */
export async function examine(options: ExamineOptions, formats: Formats): Promise<DoctorReport> {
  const { target, clock, onProgress } = options;
  const mask = createMask();
  const remember = (): void => storedSecrets(target).forEach(mask.add);
  remember();
  const progress = createProgress({ target, steps, startedAtMs: clock.nowMs(), mask, onProgress, formats });
  const asker = createAsker(options);
  const { examination, end } = prepare(options, { asker, formats, onToken: mask.add });
  options.signal.addEventListener('abort', () => void end(), { once: true });
  try {
    for (const step of steps) await look(step, { examination, asker, progress, remember });
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
  { asker, formats, onToken }: { asker: Asker; formats: Formats; onToken(token: string): void },
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
    formats,
  };
  return { examination, end: async () => remote?.dispose() };
}

async function look(
  step: ExaminationStep,
  parts: {
    examination: Omit<Examination, 'found'>;
    asker: Asker;
    progress: ReturnType<typeof createProgress>;
    remember(): void;
  },
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
  const finding = await examineSafely(step, examination);
  remember();
  facts.somethingAnswered ||= finding.state === 'ok' || finding.state === 'notice';
  progress.end(step, finding, clock.monotonicMs() - startedAt);
}

const stopped: Finding = skipped(sentence`The examination was stopped.`);

/** Runs a step so that a bug in it does not stop the other steps. */
async function examineSafely(step: ExaminationStep, examination: Examination): Promise<Finding> {
  try {
    return await step.examine(examination);
  } catch (failure) {
    const { signal, target, logger } = examination;
    if (signal.aborted) return stopped;
    if (failure instanceof AppError)
      return failed(refusalLine(failure), meaningOfRefusal(failure, 'remote', target));
    logger.error({ err: failure, step: step.id }, 'A step of the doctor failed');
    const { message, next } = encodeError(failure);
    return failed(sentence`nothing that could be read`, { means: message, remedy: next });
  }
}

function watchedAccess(access: RemoteAccess, onToken: (token: string) => void): RemoteAccess {
  const tell = async (given: Promise<string>): Promise<string> => {
    const token = await given;
    onToken(token);
    return token;
  };
  return { token: () => tell(access.token()), renew: (refused) => tell(access.renew(refused)) };
}

interface ProgressOptions {
  target: DiagnosticTarget;
  steps: readonly ExaminationStep[];
  startedAtMs: number;
  mask: Mask;
  onProgress(report: DoctorReport): void;
  formats: Formats;
}

function createProgress(options: ProgressOptions) {
  const { target, steps, startedAtMs, mask, onProgress, formats } = options;
  const { hide } = mask;
  let report: DoctorReport = {
    subject: hide(target.subject),
    profileId: target.profileId,
    startedAtMs,
    endedAtMs: null,
    steps: steps.map((step) => waiting(step, hide(step.asks(target)))),
    text: '',
  };

  function change({ id }: ExaminationStep, changed: Partial<DoctorStep>): void {
    const next = report.steps.map((shown) => (shown.id === id ? { ...shown, ...changed } : shown));
    report = { ...report, steps: next };
    onProgress(report);
  }

  return {
    report: () => report,
    begin: (step: ExaminationStep) => change(step, { state: 'running' }),
    add(step: ExaminationStep, finding: ContractFinding) {
      const shown = report.steps.find(({ id }) => id === step.id)?.findings ?? [];
      change(step, { findings: [...shown, { ...finding, text: hide(finding.text) }] });
    },
    end(step: ExaminationStep, { state, asked, answer, means, remedy }: Finding, tookMs: number | null) {
      change(step, {
        state,
        tookMs,
        answer: hide(answer),
        means: means === null ? null : hide(means),
        remedy: remedy === null ? null : hide(remedy),
        ...(asked === undefined ? {} : { asked: hide(asked) }),
      });
    },
    finish(endedAtMs: number) {
      const ended = { ...report, endedAtMs };
      report = { ...ended, text: reportText(ended, formats) };
      onProgress(report);
    },
  };
}

function waiting({ id, title }: ExaminationStep, asked: Sentence): DoctorStep {
  return {
    id,
    title: sentence`${ownWords(title)}`,
    state: 'waiting',
    asked,
    answer: sentence``,
    tookMs: null,
    means: null,
    remedy: null,
    findings: [],
  };
}

const healthUrl = (mcpUrl: string): string => `${mcpUrl}/health`;

/** Contract §4.3. */
const health: ExaminationStep = {
  id: 'health',
  title: 'Alive',
  asks: ({ addresses }) => sentence`GET ${ownWords(healthUrl(addresses.mcpUrl))}`,
  at: ({ addresses }) => addresses.mcpUrl,
  async examine({ target: { addresses }, ask, clock }) {
    const asked = await ask(healthUrl(addresses.mcpUrl));
    const line = answerLine(asked);
    if (asked.kind === 'none') return failed(line, meaningOfNoAnswer(asked.because, addresses.mcpUrl));
    const wrong = meaningOfStatus(asked, ownWords('the question whether it is alive'));
    if (wrong !== null) return failed(line, wrong);
    const skew = clockSkew(asked, clock);
    return skew === null ? ok(line) : { ...skew, answer: line };
  },
};

const readyUrl = (mcpUrl: string): string => `${mcpUrl}/ready`;

/** Readiness may fail while the service is alive (contract §4.3). */
const ready: ExaminationStep = {
  id: 'ready',
  title: 'Ready',
  asks: ({ addresses }) => sentence`GET ${ownWords(readyUrl(addresses.mcpUrl))}`,
  at: ({ addresses }) => addresses.mcpUrl,
  async examine({ target: { addresses }, ask }) {
    const asked = await ask(readyUrl(addresses.mcpUrl));
    const line = answerLine(asked);
    if (asked.kind === 'none') return failed(line, meaningOfNoAnswer(asked.because, addresses.mcpUrl));
    const wrong = meaningOfStatus(asked, ownWords('the question whether it is ready'));
    if (wrong === null) return ok(line);
    const parts = failingParts(asked);
    if (asked.status !== 503 || parts.length === 0) return failed(line, wrong);
    return failed(line, {
      means: sentence`The service is alive but not ready: it says that this is away: ${listed(parts)}.`,
      remedy: wrong.remedy,
    });
  },
};

/** The contract does not define this body. */
function failingParts({ json }: Answered): string[] {
  const { success, data } = readySchema.safeParse(json);
  if (!success) return [];
  return Object.entries(data.checks).flatMap(([part, check]) => (check === 'failed' ? [part] : []));
}

const steps: readonly ExaminationStep[] = [
  health,
  ready,
  protectedResource,
  authorizationServer,
  registration,
  signIn,
  whoami,
  tools,
  memberList,
  publisherReports,
  contract,
];
