import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { diskFailure } from '#shared/errors/index.ts';
import { createLogger, type Logger } from './logger.ts';
import { refuseFolders } from './refuse-folders.ts';

/**
 * Opens `logs/countersign.log` in the data folder, both made where needed. Fails with `path_occupied`, `disk_full`,
 * `disk_read_only` or `data_folder_unusable`.
 */
export function openLogFile(dataFolder: string): { logger: Logger; file: string } {
  const folder = join(dataFolder, 'logs');
  const file = join(folder, 'countersign.log');
  refuseFolders([file]);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return { logger: createLogger({ to: file, level: 'info' }), file };
  } catch (cause) {
    throw diskFailure(cause, 'data_folder_unusable');
  }
}
