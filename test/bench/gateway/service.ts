import { startBackend } from '#test/core/backend/open-backend.ts';

/** The address and credentials with which the bench reaches the service. */
export interface BenchService {
  port: number;
  baseUrl: string;
  /** Valid for the remote tools and the member routes: the service accepts the member's own token at both. */
  memberToken: string;
}

/** Runs a live service in a process of its own, without quotas. Prints a BenchService as JSON; ends with its process. */
const { port, baseUrl, credentials, dispose } = await startBackend({
  allowDirectJwt: true,
  quotas: { callsPerMinute: null, operationsPerMinute: null },
});
const reached: BenchService = { port, baseUrl, memberToken: credentials.memberToken };
process.stdout.write(`${JSON.stringify(reached)}\n`);
process.once('SIGTERM', () => void dispose());
