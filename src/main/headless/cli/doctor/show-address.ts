import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DisposableStack } from '#core/platform/disposable.ts';
import { hasDesktop, openInBrowser } from '../open-in-browser.ts';

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
