import { protocol, session } from 'electron';
import { readFile } from 'node:fs/promises';
import {
  type DesktopOrigin,
  type FirstScreen,
  originNames,
  type PagePlace,
  type PageRole,
  contentPolicy,
  desktopOrigins,
  entryPage,
  hashedFiles,
  keepForEver,
  markPlace,
  mediaType,
  withFirstScreen,
} from '#shared/host-api/index.ts';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '#shared/errors/index.ts';

export const partitions: Record<DesktopOrigin, string> = {
  app: 'persist:app',
  confirm: 'confirm',
  training: 'training',
  trainingConfirm: 'training-confirm',
};

const scheme = 'countersign';

const roles: readonly PageRole[] = ['app', 'confirm'];
const places: readonly PagePlace[] = ['work', 'training'];

/** Gives the pages' scheme real origins. Call it before the app is ready. */
export function declareSchemes(): void {
  protocol.registerSchemesAsPrivileged([
    {
      scheme,
      privileges: {
        standard: true,
        secure: true,
        bypassCSP: false,
        allowServiceWorkers: false,
        supportFetchAPI: false,
        corsEnabled: false,
        stream: false,
        codeCache: true,
      },
    },
  ]);
}

/**
 * Serves each origin, only in its own session. Call it when the app is ready. `firstScreen` returns what the app's page draws
 * before the core answers. Fails with `pages_missing`.
 */
export function servePages(folder: string, firstScreen: () => FirstScreen | null): void {
  const files = listBuiltFiles(folder);
  for (const place of places) for (const role of roles) serve(place, role, { files, firstScreen });
}

export async function clearPages(): Promise<void> {
  const own = session.fromPartition(partitions.app);
  await Promise.all([own.clearStorageData(), own.clearCache()]);
}

function serve(place: PagePlace, role: PageRole, parts: Pick<PageFiles, 'files' | 'firstScreen'>): void {
  const answer = createPageAnswers({ place, role }, { ...parts, read: (file) => readFile(file) });
  const { protocol: own } = session.fromPartition(partitions[originNames[place][role]]);
  own.handle(scheme, async (request) => {
    const { status, headers, body } = await answer(request);
    return new Response(body as BodyInit, { status, headers });
  });
}

export interface PageRequest {
  method: string;
  url: string;
}

export interface PageAnswer {
  status: 200 | 404 | 405 | 500;
  headers: Record<string, string>;
  body: Uint8Array | string;
}

export interface PageFiles {
  files: ReadonlyMap<string, string>;
  read(file: string): Promise<Uint8Array>;
  firstScreen(): FirstScreen | null;
}

const policy = [
  ...contentPolicy("'none'"),
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const securityHeaders = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** Answers requests to one origin: its page at `/`, the built files, and 404 for everything else. Never rejects. */
export function createPageAnswers(
  { place, role }: { place: PagePlace; role: PageRole },
  { files, read, firstScreen }: PageFiles,
): (request: PageRequest) => Promise<PageAnswer> {
  const isApp = place === 'work' && role === 'app';
  const pageOf = (body: Uint8Array): string =>
    withFirstScreen(markPlace(utf8(body), place), isApp ? firstScreen() : null);
  return async ({ method, url }) => {
    if (method !== 'GET') return plain(405, 'Only GET');
    const path = pathOn(desktopOrigins[originNames[place][role]], url);
    const file = path === null || path.endsWith('.html') ? undefined : files.get(fileOf(role, path));
    if (file === undefined) return plain(404, 'Not found');
    try {
      const body = await read(file);
      const headers = headersOf(file, path ?? '/');
      return { status: 200, headers, body: path === '/' ? pageOf(body) : body };
    } catch {
      return plain(500, 'This file cannot be read');
    }
  };
}

const utf8 = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

const fileOf = (role: PageRole, path: string): string => (path === '/' ? entryPage[role] : path);

function pathOn(origin: string, url: string): string | null {
  const [address = ''] = url.split('#', 1);
  const path = address.slice(origin.length);
  return address.startsWith(origin) && path.startsWith('/') ? path : null;
}

function headersOf(file: string, path: string): Record<string, string> {
  return {
    ...securityHeaders,
    'content-type': mediaType(file),
    'cache-control': path.startsWith(hashedFiles) ? keepForEver : 'no-store',
  };
}

function plain(status: 404 | 405 | 500, body: string): PageAnswer {
  const headers = {
    ...securityHeaders,
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
  };
  return { status, headers, body };
}

/** Every built file by its URL path. Fails with `pages_missing`. Node's recursive listing does not enter an asar archive. */
export function listBuiltFiles(folder: string): Map<string, string> {
  const files = new Map<string, string>();
  try {
    walk(folder, '/', files);
  } catch (cause) {
    throw new AppError('pages_missing', { cause });
  }
  for (const entry of Object.values(entryPage)) {
    if (!files.has(entry)) throw new AppError('pages_missing', { data: { page: entry } });
  }
  return files;
}

function walk(folder: string, path: string, files: Map<string, string>): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isFile()) files.set(path + entry.name, join(folder, entry.name));
    else if (entry.isDirectory()) walk(join(folder, entry.name), `${path}${entry.name}/`, files);
  }
}
