import { readFile } from 'node:fs/promises';
import { AppError } from '#shared/errors/index.ts';
import { entryPage, hashedFiles, keepForEver, mediaType } from '#shared/host-api/index.ts';
import { listFiles } from './built-files.ts';
import type { PageSource } from './page-source.ts';
import { pageHeaders } from './security-headers.ts';

/**
 * The built renderer. Its files are listed once, and a request can only name one of the list, so no path leads out of
 * the folder. Fails with `pages_missing` when there is no build.
 */
export function builtPages(folder: string): PageSource {
  const files = listFiles(folder);
  for (const entry of Object.values(entryPage)) {
    if (!files.has(entry)) throw new AppError('pages_missing', { data: { page: entry } });
  }
  return (role) => {
    const headers = Object.entries(pageHeaders(role));
    return {
      method: 'GET',
      path: '/',
      async answer(_request, response, path) {
        const file = path.endsWith('.html') ? undefined : files.get(path === '/' ? entryPage[role] : path);
        if (file === undefined) throw new AppError('not_found');
        const body = await readFile(file);
        for (const [name, value] of headers) response.setHeader(name, value);
        if (path.startsWith(hashedFiles)) {
          response.setHeader('cache-control', keepForEver);
        }
        response.setHeader('content-type', mediaType(file));
        response.end(body);
      },
    };
  };
}
