import { join } from 'node:path';
import { AppError, encodeError } from '#shared/errors/index.ts';
import type { CoreMessage } from '#shared/host-api/index.ts';
import { canCarryCore } from '#shared/lib/node-version.ts';
import type { CoreProcess } from './core-process.ts';

/** Facts about the program that starts a core. */
export interface Surroundings {
  /** The Node inside this runtime, for example `24.15.0`. */
  nodeVersion: string;
  isPackaged: boolean;
  platform: NodeJS.Platform;
  /** Folder of the main bundle: `out/main` of the checkout or of the package. */
  mainFolder: string;
  /** The core's file there: the real one, or that of training. */
  core: 'core.js' | 'training-core.js';
}

/** In which process a core runs, and with which files. */
export type ProcessChoice =
  | { kind: 'utility'; file: string }
  | { kind: 'fork'; file: string; execPath: string }
  | { kind: 'refused'; error: AppError };

/**
 * Electron's own process where its Node can carry a core. An older runtime borrows the Node of the toolchain, in a checkout
 * only: a package has none, and none that is lying around may take its place (`runtime_too_old`).
 */
export function chooseProcess({
  nodeVersion,
  isPackaged,
  platform,
  mainFolder,
  core,
}: Surroundings): ProcessChoice {
  const file = join(mainFolder, core);
  if (canCarryCore(nodeVersion)) return { kind: 'utility', file };
  if (isPackaged)
    return { kind: 'refused', error: new AppError('runtime_too_old', { data: { nodeVersion } }) };
  const program = platform === 'win32' ? 'node.exe' : 'node';
  return { kind: 'fork', file, execPath: join(mainFolder, '../../node_modules/node/bin', program) };
}

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
