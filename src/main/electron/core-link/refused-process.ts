import { encodeError, type AppError } from '#shared/errors/index.ts';
import type { CoreMessage } from '#shared/host-api/index.ts';
import type { CoreProcess } from './core-process.ts';

/** No process at all: says why, as a core that cannot start would, and is gone. */
export function refusedProcess(error: AppError): CoreProcess {
  const failed: CoreMessage = { kind: 'failed', error: encodeError(error) };
  return {
    send: () => undefined,
    onMessage: (listener) => queueMicrotask(() => listener(failed)),
    onExit: (listener) => void setImmediate(listener, null),
    kill: () => undefined,
  };
}
