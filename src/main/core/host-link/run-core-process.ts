import { createLogger, type Logger, openLogFile } from '#core/platform/logger.ts';
import { findHostPort } from './host-port.ts';
import { serveHost, type ServeHostOptions } from './serve-host.ts';

/** Runs a core until it or its host ends. Ctrl-C and TERM reach this process too; the current write is still finished. */
export function runCoreProcess(served: Pick<ServeHostOptions, 'compose' | 'overrides'> = {}): void {
  const port = findHostPort();
  if (port === null) {
    process.stderr.write('This is the core of Countersign, which the desktop app starts. Use `npm start`.\n');
    process.exitCode = 1;
    return;
  }
  // A host that died takes the other end of this stream with it, and nothing may stop the write under way.
  process.stderr.on('error', () => {});
  let logger: Logger = createLogger({ to: process.stderr, level: 'warn' });
  const crash = (failure: unknown): void => {
    logger.error({ err: failure }, 'The core crashed');
    process.exit(1);
  };
  process.on('uncaughtException', crash);
  process.on('unhandledRejection', crash);

  const link = serveHost({
    ...served,
    port,
    logs: { early: logger, open: (dataFolder) => (logger = openLogFile(dataFolder).logger) },
  });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGBREAK'] as const) process.on(signal, link.quit);
  void link.ended.then(async (code) => {
    await port.drained();
    process.exit(code);
  });
}
