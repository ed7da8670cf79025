import { protocol, session } from 'electron';
import { readFile } from 'node:fs/promises';
import { type DesktopOrigin, originNames, type PagePlace, type PageRole } from '#shared/host-api/index.ts';
import { createPageAnswers, listBuiltFiles } from './answer-page.ts';

/** Each origin has a session of its own. The app's keeps its settings; the others forget everything at quit. */
export const partitions: Record<DesktopOrigin, string> = {
  app: 'persist:app',
  confirm: 'confirm',
  training: 'training',
  trainingConfirm: 'training-confirm',
};

const scheme = 'countersign';

const roles: readonly PageRole[] = ['app', 'confirm'];
const places: readonly PagePlace[] = ['work', 'training'];

/** Makes the scheme of our pages one with real origins. Call before the app is ready. */
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

/** Serves each origin in its own session and nowhere else. Call when the app is ready. Fails with `pages_missing`. */
export function servePages(folder: string): void {
  const files = listBuiltFiles(folder);
  for (const place of places) for (const role of roles) serve(place, role, files);
}

export async function clearPages(): Promise<void> {
  const own = session.fromPartition(partitions.app);
  await Promise.all([own.clearStorageData(), own.clearCache()]);
}

function serve(place: PagePlace, role: PageRole, files: ReadonlyMap<string, string>): void {
  const answer = createPageAnswers({ place, role }, { files, read: (file) => readFile(file) });
  const { protocol: own } = session.fromPartition(partitions[originNames[place][role]]);
  own.handle(scheme, async (request) => {
    const { status, headers, body } = await answer(request);
    return new Response(body as BodyInit, { status, headers });
  });
}
