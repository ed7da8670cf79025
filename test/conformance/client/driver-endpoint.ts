import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import { AppError } from '#shared/errors/index.ts';
import { driveClient, type Reported } from './drive-client.ts';

export interface DriverEndpoint extends AsyncDisposable {
  /** The command that the suite runs for each scenario. The suite appends the URL of the scenario's server. */
  command: string;
  /** The error code with which our client failed, by scenario. */
  failures: Map<string, string>;
}

/**
 * Opens the endpoint to which the suite's command reports. The client itself runs in this process, so that a scenario does
 * not start the whole program, and so that tests detect resources that the client leaves open.
 */
export async function openDriverEndpoint(): Promise<DriverEndpoint> {
  const failures = new Map<string, string>();
  const server = createServer((request, response) => {
    void (async () => {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      const reported = JSON.parse(body) as Reported;
      try {
        await driveClient(reported);
        response.writeHead(204).end();
      } catch (failure) {
        failures.set(reported.scenario, failure instanceof AppError ? failure.code : String(failure));
        response.writeHead(500).end();
      }
    })();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const script = fileURLToPath(new URL('./report.ts', import.meta.url));
  return {
    command: `${process.execPath} ${script} http://127.0.0.1:${port}`,
    failures,
    async dispose() {
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}
