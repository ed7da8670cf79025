import { startBackend } from '#test/core/backend/open-backend.ts';
import type { Endpoint } from './request.ts';

/** Runs the real service in a process of its own, without quotas. Prints an Endpoint as JSON; ends with its process. */
const service = await startBackend({ quotas: { callsPerMinute: null, operationsPerMinute: null } });
const grant = await service.backend.issueRemoteGrant({ account: 'buyer', scopes: ['svc:read'] });
const endpoint: Endpoint = { port: service.port, token: grant.accessToken };
process.stdout.write(`${JSON.stringify(endpoint)}\n`);
process.once('SIGTERM', () => void service.dispose());
