import { startBackend } from '#test/core/backend/open-backend.ts';

/** A message from the bench to the serving process. */
export type Ask = { ask: 'serve'; file: string } | { ask: 'watch' } | { ask: 'peak' } | { ask: 'end' };

const lookEveryMs = 5;

let service: Awaited<ReturnType<typeof startBackend>> | undefined;
let watch: NodeJS.Timeout | undefined;
let peakBytes = 0;

/** Runs as a child process that serves one file and watches its own memory. */
process.on('message', (message: Ask) => void answer(message));

async function answer(message: Ask): Promise<void> {
  switch (message.ask) {
    case 'serve': {
      service = await startBackend({ file: message.file, days: 0, campaigns: 1 });
      const { uid, publisherKeys } = service.credentials.accounts.publisher;
      process.send?.({ port: service.port, uid, key: publisherKeys[0]?.key });
      break;
    }
    case 'watch':
      peakBytes = process.memoryUsage.rss();
      watch = setInterval(() => (peakBytes = Math.max(peakBytes, process.memoryUsage.rss())), lookEveryMs);
      process.send?.(peakBytes);
      break;
    case 'peak':
      clearInterval(watch);
      process.send?.(Math.max(peakBytes, process.memoryUsage.rss()));
      break;
    case 'end':
      await service?.dispose();
      process.disconnect();
      break;
  }
}
