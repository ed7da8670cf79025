import { startBackend } from '#test/core/backend/open-backend.ts';

/** How the bench reaches the service. */
export interface BenchService {
  port: number;
  baseUrl: string;
  /** Opens the remote tools and the member routes: both take the member's own token here. */
  memberToken: string;
}

/** A live service in a process of its own, without quotas. Prints how it is reached; ends with its process. */
const { port, baseUrl, credentials, dispose } = await startBackend({
  allowDirectJwt: true,
  quotas: { callsPerMinute: null, operationsPerMinute: null },
});
const reached: BenchService = { port, baseUrl, memberToken: credentials.memberToken };
process.stdout.write(`${JSON.stringify(reached)}\n`);
process.once('SIGTERM', () => void dispose());
