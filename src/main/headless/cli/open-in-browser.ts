import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AsyncDisposable, DisposableStack } from '#core/public.ts';

const openers: Partial<Record<NodeJS.Platform, string>> = { darwin: 'open', win32: 'explorer.exe' };

/**
 * Opens an address in the system's browser, as far as there is one; the printed address remains for everything else.
 * Every user of the machine can read command lines, so the ticket goes through a file that only its owner can read.
 */
export function openInBrowser(address: string, folder: string): AsyncDisposable {
  if (!hasDesktop()) return { dispose: async () => {} };
  const file = join(folder, 'open-countersign.html');
  rmSync(file, { force: true });
  writeFileSync(file, redirect(address), { mode: 0o600, flag: 'wx' });
  const opener = spawn(openers[process.platform] ?? 'xdg-open', [pathToFileURL(file).href], {
    detached: true,
    stdio: 'ignore',
  });
  // Without an opener the person uses the printed address.
  opener.on('error', () => {});
  opener.unref();
  return { dispose: async () => rmSync(file, { force: true }) };
}

/** Whether a browser can be opened. Without a display, xdg-open would start a browser of text inside this terminal. */
function hasDesktop(): boolean {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  return process.platform in openers || Boolean(DISPLAY) || Boolean(WAYLAND_DISPLAY);
}

function redirect(url: string): string {
  const address = url.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  return [
    '<!doctype html>',
    '<meta charset="utf-8">',
    '<meta name="referrer" content="no-referrer">',
    `<meta http-equiv="refresh" content="0;url=${address}">`,
    '<title>Countersign</title>',
    `<p><a href="${address}">Open Countersign</a></p>`,
    '',
  ].join('\n');
}

/** Prints the address of a sign-in, and opens it where there is a desktop. Resolves to whether a browser was asked to. */
export async function showAddress(
  address: string,
  { say, stack }: { say(line: string): void; stack: DisposableStack },
): Promise<boolean> {
  say('Sign in at this address, in a browser on this computer. Ctrl-C ends.');
  say(address);
  if (!hasDesktop()) return false;
  const folder = await mkdtemp(join(tmpdir(), 'countersign-sign-in-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  stack.use(openInBrowser(address, folder));
  return true;
}
