import { readdirSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { AppError } from '#shared/errors/index.ts';

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** The media type that a file is served as. */
export function mediaType(file: string): string {
  return types[extname(file)] ?? 'application/octet-stream';
}

/** Every file below a folder by its path in an address, for example `/assets/x.js`. Fails with `pages_missing`. */
export function listFiles(folder: string): Map<string, string> {
  let entries;
  try {
    entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  } catch (cause) {
    throw new AppError('pages_missing', { cause });
  }
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(files.map((file) => [`/${relative(folder, file).split(sep).join('/')}`, file]));
}
