import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '#shared/errors/index.ts';
import { createLogger, type Logger } from './logger.ts';

/** Opens `logs/countersign.log` in the data folder, both made where needed. Fails with `data_folder_unusable`. */
export function openLogFile(dataFolder: string): { logger: Logger; file: string } {
  const folder = join(dataFolder, 'logs');
  const file = join(folder, 'countersign.log');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return { logger: createLogger({ to: file, level: 'info' }), file };
  } catch (cause) {
    throw new AppError('data_folder_unusable', { cause });
  }
}
