import { startBackend } from '#test/core/backend/open-backend.ts';
import { reportOnSignal } from '../report-on-signal.ts';
import type { Endpoint } from './request.ts';

export interface ServiceEndpoint extends Endpoint {
  /** Valid for the member routes. */
  memberToken: string;
}

/** Runs the real service in a process of its own, without quotas. Prints a ServiceEndpoint as JSON; ends with its process. */
const service = await startBackend({ quotas: { callsPerMinute: null, operationsPerMinute: null } });
const grant = await service.backend.issueRemoteGrant({ account: 'buyer', scopes: ['svc:read'] });
const { memberToken } = service.credentials;
const endpoint: ServiceEndpoint = { port: service.port, token: grant.accessToken, memberToken };
process.stdout.write(`${JSON.stringify(endpoint)}\n`);
process.once('SIGTERM', () => void service.dispose());

reportOnSignal((collectGarbage) => {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return { bytes: heapUsed + external };
});
