import type { Clock } from '#core/platform/clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { DoctorReport } from '#shared/app-api/index.ts';
import type { Patient } from './patient.ts';

export interface ExamineOptions {
  patient: Patient;
  timeoutMs: number;
  clock: Clock;
  logger: Logger;
  signal: AbortSignal;
  /** Called whenever a step begins or ends. */
  onProgress(report: DoctorReport): void;
}

/**
 * Examines a service, step by step, by reads alone: nothing is registered, changed or stored. Every step ends with a
 * finding; never fails because of the service.
 */
export async function examine(_options: ExamineOptions): Promise<DoctorReport> {
  throw new Error('not yet');
}
