import { startBackend } from '#test/core/backend/open-backend.ts';

/** The address and credentials with which the bench reaches the service. */
export interface BenchService {
  baseUrl: string;
  token: string;
}

/** Runs the real service in a process of its own. Prints a BenchService as JSON; the service ends with its process. */
const service = await startBackend();
const reached: BenchService = { baseUrl: service.baseUrl, token: service.credentials.memberToken };
process.stdout.write(`${JSON.stringify(reached)}\n`);
process.once('SIGTERM', () => void service.dispose());
