import { join } from 'node:path';
import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino';
import { redact, redactText } from '#shared/lib/redact.ts';
import { claimFolder, type ClaimParts } from '#system/claim-folder.ts';
import { diskFailureAt } from '#system/disk-failure.ts';
import { openLog } from '#system/log-files.ts';
import { refuseFolders } from './disk-places.ts';

/**
 * Opens `logs/countersign.log` in the data folder. Fails as {@link claimFolder}, with `path_occupied`, and as the disk
 * does.
 */
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

/** Where a part of the program writes what happened. Secrets are redacted where logs are written. */
export interface Logger {
  info(facts: Record<string, unknown>, message: string): void;
  warn(facts: Record<string, unknown>, message: string): void;
  error(facts: Record<string, unknown>, message: string): void;
  /** A logger that adds these facts to every line. */
  child(facts: Record<string, unknown>): Logger;
}

/** Says nothing; for tests and tools that print their own words. */
export const silentLogger: Logger = {
  info: () => {},
  warn: () => {},
  error: () => {},
  child: () => silentLogger,
};

export interface LoggerOptions {
  /** A file to append to, made for its owner only, whose older part moves on to other files; or an open stream that the caller ends. */
  to: string | DestinationStream;
  /** Lower levels are left out. */
  level: 'info' | 'warn' | 'error';
}

export function createLogger({ to, level }: LoggerOptions): Logger {
  // Written at once: the last lines before a crash are the ones that matter.
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
