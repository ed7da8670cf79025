import { protocol, session } from 'electron';
import { readFile } from 'node:fs/promises';
import type { PageRole } from '#shared/host-api/index.ts';
import { createPageAnswers, listBuiltFiles } from './answer-page.ts';

/** Each origin has a session of its own. The app's keeps its settings; the confirmation's forgets everything at quit. */
export const partitions = { app: 'persist:app', confirm: 'confirm' } as const;

const scheme = 'countersign';

const roles: readonly PageRole[] = ['app', 'confirm'];

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
  for (const role of roles) {
    const answer = createPageAnswers(role, { files, read: (file) => readFile(file) });
    session.fromPartition(partitions[role]).protocol.handle(scheme, async (request) => {
      const { status, headers, body } = await answer(request);
      return new Response(body as BodyInit, { status, headers });
    });
  }
}
