import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { AppError } from '#shared/errors/index.ts';
import {
  contentPolicy,
  entryPage,
  hashedFiles,
  keepForEver,
  markPlace,
  mediaType,
  type PagePlace,
  type PageRole,
} from '#shared/host-api/index.ts';
import type { Route } from './router.ts';

export type PageSource = (page: { place: PagePlace; role: PageRole }) => Route;

/** Lists the built pages once, so that no request can read outside the folder. Fails with `pages_missing` without a build. */
export function builtPages(folder: string): PageSource {
  const files = listFiles(folder);
  for (const entry of Object.values(entryPage)) {
    if (!files.has(entry)) throw new AppError('pages_missing', { data: { page: entry } });
  }
  return ({ place, role }) => {
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
        response.end(path === '/' ? markPlace(body.toString(), place) : body);
      },
    };
  };
}

function listFiles(folder: string): Map<string, string> {
  let entries;
  try {
    entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  } catch (cause) {
    throw new AppError('pages_missing', { cause });
  }
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(files.map((file) => [`/${relative(folder, file).split(sep).join('/')}`, file]));
}

const policy = contentPolicy("'self'").join('; ');

function pageHeaders(role: PageRole): Record<string, string> {
  return {
    'content-security-policy': policy,
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    // A second review reuses the confirmation window by its name, which requires the opener relation.
    'cross-origin-opener-policy': role === 'app' ? 'same-origin-allow-popups' : 'unsafe-none',
  };
}
