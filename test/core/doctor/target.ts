import { examine, type ExamineOptions, type DiagnosticTarget } from '#core/doctor/index.ts';
import { systemClock } from '#core/platform/clock.ts';
import { silentLogger } from '#core/platform/logger.ts';
import type { RemoteAccess } from '#core/service-client/index.ts';
import type { DoctorReport, DoctorStep, DoctorStepId, ServiceAddresses } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { RunningBackend } from '#test/core/backend/open-backend.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

/** Access with a token that cannot be refreshed. */
export function accessOf(token: string): RemoteAccess {
  return { token: async () => token, renew: () => Promise.reject(new AppError('sign_in_needed')) };
}

/** The service with every credential of a profile. `changes` replace parts of the target. */
export async function healthyTarget(
  service: RunningBackend,
  other: Partial<DiagnosticTarget> = {},
): Promise<DiagnosticTarget> {
  const origin = `http://127.0.0.1:${service.port}`;
  const { accessToken } = await service.backend.issueRemoteGrant({ account: 'buyer', scopes: ['svc:read'] });
  const [key] = service.credentials.accounts.buyer.publisherKeys;
  return {
    subject: 'Meridian',
    profileId: 'p1',
    addresses: { baseUrl: service.baseUrl, apiUrl: origin, mcpUrl: origin } satisfies ServiceAddresses,
    access: accessOf(accessToken),
    grants: null,
    remoteAccess: 'oauth',
    memberToken: service.credentials.memberToken,
    publisherKey: key?.key ?? null,
    ...other,
  };
}

/** Runs the doctor to its end. */
export function examined(
  target: DiagnosticTarget,
  other: Partial<ExamineOptions> = {},
): Promise<DoctorReport> {
  return examine(
    {
      target,
      timeoutMs: 10_000,
      clock: systemClock,
      logger: silentLogger,
      signal: new AbortController().signal,
      onProgress: () => {},
      ...other,
    },
    defaultFormats,
  );
}

/** Runs every step except the contract check, which has tests of its own. */
export function examinedBriefly(
  target: DiagnosticTarget,
  other: Partial<ExamineOptions> = {},
): Promise<DoctorReport> {
  const stop = new AbortController();
  return examined(target, {
    signal: stop.signal,
    onProgress({ steps }) {
      if (steps.some(({ id, state }) => id === 'contract' && state === 'running')) stop.abort();
    },
    ...other,
  });
}

export function stepOf(report: DoctorReport, id: DoctorStepId): DoctorStep {
  const step = report.steps.find((each) => each.id === id);
  if (step === undefined) throw new Error(`No step ${id}`);
  return step;
}

/** Groups the steps by state. Excludes the contract check, which has tests of its own. */
export function byState(report: DoctorReport): Partial<Record<DoctorStep['state'], DoctorStepId[]>> {
  const groups: Partial<Record<DoctorStep['state'], DoctorStepId[]>> = {};
  for (const { id, state } of report.steps) if (id !== 'contract') (groups[state] ??= []).push(id);
  return groups;
}
