import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join, win32 } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type AsyncDisposable, type DisposableStack, makeTemporary, removeTemporary } from '#core/public.ts';

interface BrowserCommand {
  program: string;
  args: string[];
  windowsVerbatimArguments: boolean;
}

/** Windows searches the current folder for plain names, and Explorer splits unquoted paths at commas. */
export function openingOf(file: string, platform: NodeJS.Platform, env: NodeJS.ProcessEnv): BrowserCommand {
  if (platform === 'win32') {
    const program = win32.join(env['SystemRoot'] ?? 'C:\\Windows', 'explorer.exe');
    return { program, args: [`"${file}"`], windowsVerbatimArguments: true };
  }
  const program = platform === 'darwin' ? '/usr/bin/open' : 'xdg-open';
  return { program, args: [pathToFileURL(file).href], windowsVerbatimArguments: false };
}

/** Opens an address in the browser. Writes the ticket to a private file, because every user can read command lines. */
export function openInBrowser(
  address: string,
  folder: string,
  say: (line: string) => void = () => {},
): AsyncDisposable {
  if (!hasDesktop()) return { dispose: async () => {} };
  const file = join(folder, 'open-countersign.html');
  try {
    rmSync(file, { force: true });
    writeFileSync(file, redirect(address), { mode: 0o600, flag: 'wx' });
  } catch {
    // For example, the disk is full: the person uses the printed address.
    say(`No browser is opened: ${file} cannot be written.`);
    return { dispose: async () => {} };
  }
  const { program, args, windowsVerbatimArguments } = openingOf(file, process.platform, process.env);
  const opener = spawn(program, args, { detached: true, stdio: 'ignore', windowsVerbatimArguments });
  // Without a program to open it, the person uses the printed address.
  opener.on('error', () => say(`No browser is opened: ${program} cannot be started.`));
  opener.on('exit', (code) => {
    if (code !== 0 && code !== null) say(`No browser is opened: ${program} found none.`);
  });
  opener.unref();
  return { dispose: async () => removeTemporary(file) };
}

function whyNoBrowser(): string | null {
  if (hasDesktop()) return null;
  return 'No browser is opened, as there is no display here (DISPLAY and WAYLAND_DISPLAY are empty).';
}

/** True if a browser can be opened. Without a display, xdg-open would start a text browser in this terminal. */
function hasDesktop(): boolean {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  return ['darwin', 'win32'].includes(process.platform) || Boolean(DISPLAY) || Boolean(WAYLAND_DISPLAY);
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

export async function showAddress(
  address: string,
  { say, stack }: { say(line: string): void; stack: DisposableStack },
): Promise<boolean> {
  say('Sign in at this address, in a browser on this computer. Ctrl-C ends.');
  say(address);
  const reason = whyNoBrowser();
  if (reason !== null) {
    say(reason);
    return false;
  }
  const folder = makeTemporary('countersign-sign-in-');
  stack.defer(async () => removeTemporary(folder));
  stack.use(openInBrowser(address, folder, say));
  return true;
}
