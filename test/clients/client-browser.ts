import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { tempFolder } from '#test/servers/temp-folder.ts';
import { answerRequest } from '#test/servers/person.ts';
import type { Answering } from '#test/servers/person.ts';
import { loopbackOnly } from './loopback-only.ts';

/** A home folder for one client, and the person at its browser. */
export interface ClientBrowser {
  /** Environment of the client: its own home folder, no desktop, no network settings, and our browser. */
  env: Record<string, string>;
  /** The authorization requests that the client opened. */
  opened: URL[];
  /** Errors that the person saw instead of a consent page. */
  failures: unknown[];
}

/**
 * Prepares a browser that a client can open. The person at the browser signs in, answers, and is redirected to the client's
 * callback. The browser ends with the test.
 */
export function prepareBrowser(answering: Answering): Promise<ClientBrowser> {
  return prepareBrowserWith((url) => answerRequest(url, answering));
}

/**
 * Like {@link prepareBrowser}, with another person: `answer` gets the URL of the authorization request and resolves with the
 * redirect URL that ends it.
 */
export async function prepareBrowserWith(answer: (url: string) => Promise<string>): Promise<ClientBrowser> {
  const home = tempFolder();
  const opened: URL[] = [];
  const failures: unknown[] = [];
  const visit = async (url: string): Promise<void> => {
    opened.push(new URL(url));
    const callback = await fetch(await answer(url));
    await callback.text();
  };
  const server = createServer((request, response) => {
    response.end();
    text(request)
      .then(visit)
      .catch((failure: unknown) => failures.push(failure));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const browser = installBrowser(home);
  return {
    env: {
      HOME: home,
      TMPDIR: home,
      XDG_CONFIG_HOME: join(home, '.config'),
      XDG_CACHE_HOME: join(home, '.cache'),
      XDG_DATA_HOME: join(home, '.local'),
      PATH: `${join(home, 'bin')}:${process.env['PATH'] ?? ''}`,
      BROWSER: browser,
      COUNTERSIGN_TEST_BROWSER: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
      NO_COLOR: '1',
      ...loopbackOnly,
    },
    opened,
    failures,
  };
}

/** Installs a program that clients find by `$BROWSER` or on the path when they look for a browser. Works on Linux only. */
function installBrowser(home: string): string {
  const folder = join(home, 'bin');
  mkdirSync(folder);
  const opener = fileURLToPath(new URL('./open-address.ts', import.meta.url));
  const browser = join(folder, 'xdg-open');
  writeFileSync(browser, `#!/bin/sh\nexec '${process.execPath}' '${opener}' "$1"\n`);
  chmodSync(browser, 0o700);
  return browser;
}
