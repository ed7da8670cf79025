import { execFile } from 'node:child_process';
import { accessSync, constants, readdirSync } from 'node:fs';
import { win32 } from 'node:path';
import { promisify } from 'node:util';

export interface ChromiumSearch {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  isExecutable(path: string): boolean;
  namesIn(folder: string): string[];
  outputOf(path: string, args: readonly string[]): Promise<string | null>;
}

export interface FoundChromium {
  path: string;
  version: string;
}

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
];

/**
 * Places on Windows, relative to the program folders of all users and of this user. Every Windows has Edge, so one of them
 * exists.
 */
const windowsPlaces = [
  'Google\\Chrome\\Application\\chrome.exe',
  'Chromium\\Application\\chrome.exe',
  'Microsoft\\Edge\\Application\\msedge.exe',
];

const headlessPlaces = ['/usr/bin/chromium-headless-shell'];

export function findChromium(search: ChromiumSearch = thisMachine): Promise<FoundChromium | null> {
  const named = search.env['CHROMIUM'];
  return firstOf(named ? [named] : usualPlaces(search), search);
}

export function findHeadlessChromium(search: ChromiumSearch = thisMachine): Promise<FoundChromium | null> {
  const named = search.env['CHROMIUM_HEADLESS'];
  return firstOf(named ? [named] : headlessPlaces, search);
}

const thisMachine: ChromiumSearch = {
  platform: process.platform,
  env: process.env,
  isExecutable(path) {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  },
  namesIn(folder) {
    try {
      return readdirSync(folder);
    } catch {
      return [];
    }
  },
  async outputOf(path, args) {
    try {
      return (await promisify(execFile)(path, args, { timeout: 20_000 })).stdout;
    } catch {
      // The file is a stub without its package, or a library is missing.
      return null;
    }
  },
};

function usualPlaces({ platform, env }: ChromiumSearch): string[] {
  if (platform !== 'win32') return places;
  const folders = ['ProgramFiles', 'ProgramFiles(x86)', 'LOCALAPPDATA'].flatMap((name) => env[name] ?? []);
  return windowsPlaces.flatMap((place) => folders.map((folder) => win32.join(folder, place)));
}

async function firstOf(candidates: readonly string[], search: ChromiumSearch): Promise<FoundChromium | null> {
  for (const path of candidates) {
    const version = search.isExecutable(path) ? await versionOf(path, search) : null;
    if (version !== null) return { path, version };
  }
  return null;
}

async function versionOf(path: string, search: ChromiumSearch): Promise<string | null> {
  if (search.platform === 'win32') return versionBeside(path, search);
  return (await search.outputOf(path, ['--version']))?.trim() ?? null;
}

/** On Windows `--version` opens a browser window, so the version is read from the folder that the installer names after it. */
function versionBeside(path: string, { namesIn }: ChromiumSearch): string {
  const versions = namesIn(win32.dirname(path)).filter((name) => /^\d+(?:\.\d+){3}$/.test(name));
  const newest = versions.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1);
  return newest ?? 'of a version that its folder does not name';
}
