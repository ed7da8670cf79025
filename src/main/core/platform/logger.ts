import { join } from 'node:path';
import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino';
import { redact, redactText } from '#shared/lib/redact.ts';
import { claimFolder, type ClaimParts } from '#system/claim-folder.ts';
import { diskFailureAt } from '#system/replace-file.ts';
import { openLog } from '#system/log-files.ts';
import { refuseFolders } from './disk-places.ts';

/** Opens `logs/countersign.log` in the data folder. Fails as {@link claimFolder} does, with `path_occupied`, or as the disk does. */
export function openLogFile(dataFolder: string, system: ClaimParts = {}): { logger: Logger; file: string } {
  claimFolder(dataFolder, system);
  const folder = join(dataFolder, 'logs');
  const file = join(folder, 'countersign.log');
  refuseFolders([file]);
  try {
    return { logger: createLogger({ to: file, level: 'info' }), file };
  } catch (cause) {
    throw diskFailureAt(folder, cause, 'data_folder_unusable');
  }
}

/** Log of a part of the program. Secrets are redacted when a line is written. */
export interface Logger {
  info(facts: Record<string, unknown>, message: string): void;
  warn(facts: Record<string, unknown>, message: string): void;
  error(facts: Record<string, unknown>, message: string): void;
  child(facts: Record<string, unknown>): Logger;
}

export const silentLogger: Logger = {
  info: () => {},
  warn: () => {},
  error: () => {},
  child: () => silentLogger,
};

export interface LoggerOptions {
  /** The path of a log file, which only its owner can read and which is rotated; or an open stream, which the caller closes. */
  to: string | DestinationStream;
  level: 'info' | 'warn' | 'error';
}

export function createLogger({ to, level }: LoggerOptions): Logger {
  // Writes synchronously, because the last lines before a crash matter most.
  const stream = typeof to === 'string' ? openLog(to) : to;
  return wrap(pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, stream));
}

function wrap(target: PinoLogger): Logger {
  return {
    info: (facts, message) => target.info(redact(facts), redactText(message)),
    warn: (facts, message) => target.warn(redact(facts), redactText(message)),
    error: (facts, message) => target.error(redact(facts), redactText(message)),
    child: (facts) => wrap(target.child(redact(facts) as Record<string, unknown>)),
  };
}
