import { startChild } from '#test/servers/child.ts';
import { openBenchSession, type Endpoint } from './request.ts';

/** Returns the memory that 50 idle sessions add to the service, in bytes, after a garbage collection. */
export async function measureIdleSessions(): Promise<{ sessions: number; addedBytes: number }> {
  const sessions = 50;
  const service = startChild(new URL('./service.ts', import.meta.url), []);
  const endpoint = JSON.parse(await service.line()) as Endpoint;
  const memory = async (): Promise<number> => {
    process.kill(service.pid, 'SIGUSR2');
    return (JSON.parse(await service.line()) as { bytes: number }).bytes;
  };
  // The first session loads what all sessions share.
  await openBenchSession(endpoint);
  const before = await memory();
  for (let opened = 0; opened < sessions; opened += 1) await openBenchSession(endpoint);
  const addedBytes = (await memory()) - before;
  await service.kill();
  return { sessions, addedBytes };
}
