import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '#core/platform/clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import { openReportCache } from '#core/store/reports/index.ts';
import { AppError, encodeError } from '#shared/errors/index.ts';
import { answerRequests, type RequestHandlers } from './answer-requests.ts';
import type {
  WorkerInput,
  WorkerMessage,
  WorkerRequest,
  WorkerRequestKind,
  WorkerStart,
} from './messages.ts';

/** The worker's thread: one request after the other, each answered once. */
function run(port: NonNullable<typeof parentPort>, start: WorkerStart): void {
  const post = (message: WorkerMessage): void => port.postMessage(message);
  const logger = loggerTo(post);
  const cache = openReportCache({
    file: start.file,
    maxBytes: start.maxCacheBytes,
    clock: systemClock,
    logger,
  });
  if (start.profiles !== null) cache.keepOnly(start.profiles);
  const handlers: RequestHandlers = {
    ...answerRequests(cache),
    close() {
      cache.dispose();
      port.close();
      return null;
    },
  };
  port.on('message', (request: WorkerRequest) => {
    try {
      post({ kind: 'answered', id: request.id, output: answer(handlers, request) });
    } catch (failure) {
      if (!(failure instanceof AppError)) logger.error({ failure }, 'A request of the report worker failed');
      post({ kind: 'failed', id: request.id, error: encodeError(failure) });
    }
  });
}

function answer<K extends WorkerRequestKind>(
  handlers: RequestHandlers,
  { kind, input }: { kind: K; input: WorkerInput<K> },
): unknown {
  return handlers[kind](input);
}

/** Writes through the core's own log, which redacts. */
function loggerTo(post: (message: WorkerMessage) => void): Logger {
  const at = (level: 'warn' | 'error') => (facts: Record<string, unknown>, text: string) =>
    post({ kind: 'log', level, facts: Object.fromEntries(Object.entries(facts).map(asText)), text });
  const logger: Logger = {
    info: () => {},
    warn: at('warn'),
    error: at('error'),
    child: () => logger,
  };
  return logger;
}

function asText([name, fact]: [string, unknown]): [string, string] {
  return [name, fact instanceof Error ? (fact.stack ?? fact.message) : String(fact)];
}

if (parentPort === null) throw new Error('This file is started by the core as a worker');
run(parentPort, workerData as WorkerStart);
