import type { Clock } from '#core/platform/clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { RemoteAccess, RemoteClient, UrlPolicy } from '#core/service-client/index.ts';
import type { ContractFinding, DoctorStepId } from '#shared/app-api/index.ts';
import type { ProbeResult } from '../answers/ask.ts';
import type { Meaning } from '../answers/no-answer.ts';
import type { DiagnosticTarget } from '../diagnostic-target.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { type Sentence, sentence } from '#shared/lib/sentence.ts';

export interface Finding {
  state: 'ok' | 'notice' | 'failed' | 'skipped';
  asked?: Sentence;
  answer: Sentence;
  means: Sentence | null;
  remedy: Sentence | null;
}

export interface ExaminationFacts {
  /** Null until the protected resource names an issuer. `refused` if the issuer's address must not be requested. */
  issuer: { kind: 'known'; url: string } | { kind: 'refused' } | null;
  resourceIsRight: boolean;
  server: { issuer: string; registrationEndpoint: unknown } | null;
  signedIn: boolean;
  remoteOpen: boolean;
  tids: readonly number[];
  openTid: number | null;
  somethingAnswered: boolean;
}

export interface Examination {
  target: DiagnosticTarget;
  ask(url: string): Promise<ProbeResult>;
  policy: UrlPolicy;
  access: RemoteAccess | null;
  /** The remote client, which ends with the examination. Only available with access. */
  remote(): RemoteClient;
  facts: ExaminationFacts;
  timeoutMs: number;
  signal: AbortSignal;
  clock: Clock;
  logger: Logger;
  formats: Formats;
  found(finding: ContractFinding): void;
}

export interface ExaminationStep {
  id: DoctorStepId;
  title: string;
  asks(target: DiagnosticTarget): Sentence;
  /** The address that the step needs: if the address does not answer, the step is skipped. Null for several addresses. */
  at(target: DiagnosticTarget): string | null;
  /** The reason to skip the step, or null. */
  blocked?(examination: Examination): Finding | null;
  /** May fail with a refusal by the remote endpoint or with the signal's reason. All other results are findings. */
  examine(examination: Examination): Promise<Finding>;
}

export const ok = (answer: Sentence): Finding => ({ state: 'ok', answer, means: null, remedy: null });

export const notice = (answer: Sentence, meaning: Meaning): Finding => ({
  state: 'notice',
  answer,
  ...meaning,
});

export const failed = (answer: Sentence, meaning: Meaning): Finding => ({
  state: 'failed',
  answer,
  ...meaning,
});

export const skipped = (means: Sentence, remedy: Sentence | null = null): Finding => ({
  state: 'skipped',
  answer: sentence`not asked`,
  means,
  remedy,
});
