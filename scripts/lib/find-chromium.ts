import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { promisify } from 'node:util';

/** Where Chromium and Chrome live when a package or an installer put them there. */
const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** Where the Chromium without windows lives, which needs a fifth less processor time for the same pages. */
const headlessPlaces = ['/usr/bin/chromium-headless-shell'];

/** A Chromium that answers: `$CHROMIUM` first, then the usual places. Null when there is none. */
export function findChromium(env: NodeJS.ProcessEnv = process.env): Promise<FoundChromium | null> {
  return firstOf(env['CHROMIUM'] ? [env['CHROMIUM']] : places);
}

/** The Chromium without windows: `$CHROMIUM_HEADLESS` first, then its usual place. Null when there is none. */
export function findHeadlessChromium(env: NodeJS.ProcessEnv = process.env): Promise<FoundChromium | null> {
  return firstOf(env['CHROMIUM_HEADLESS'] ? [env['CHROMIUM_HEADLESS']] : headlessPlaces);
}

export interface FoundChromium {
  path: string;
  version: string;
}

async function firstOf(candidates: readonly string[]): Promise<FoundChromium | null> {
  for (const path of candidates) {
    const version = isExecutable(path) ? await versionOf(path) : null;
    if (version !== null) return { path, version };
  }
  return null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The output of `--version`; null when the file does not start (a stub without its package, a missing library). */
async function versionOf(path: string): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)(path, ['--version'], { timeout: 20_000 });
    return stdout.trim();
  } catch {
    return null;
  }
}
