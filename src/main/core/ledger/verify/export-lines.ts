import { createReadStream } from 'node:fs';
import { AppError } from '#shared/errors/index.ts';

/**
 * The lines of a file, split at line feeds alone: JSON text may hold every other separator. Fails with `storage_failed`
 * where it cannot be read.
 */
export async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = '';
  try {
    for await (const chunk of createReadStream(file, { encoding: 'utf8' }) as AsyncIterable<string>) {
      const lines = `${rest}${chunk}`.split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } catch (cause) {
    throw new AppError('storage_failed', { message: 'The file cannot be read.', cause });
  }
  if (rest !== '') yield rest;
}
