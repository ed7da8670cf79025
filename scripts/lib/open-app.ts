import { spawnSync } from 'node:child_process';
import { type Download, downloadElectron, stallLimitMs } from './download-electron.ts';
import { type ElectronRuntime, findElectron } from './find-electron.ts';
import { progressLine } from './progress-line.ts';
import { runAttached, runProgramAttached } from './run-attached.ts';
import { projectRoot } from './run-tool.ts';
import { resolve } from 'node:path';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

export async function openApp(given: readonly string[]): Promise<number> {
  const host = await desktopOrBrowser({
    platform: process.platform,
    isRoot: process.getuid?.() === 0,
    env: process.env,
    canSandbox,
    getRuntime: findOrDownload,
  });
  if (host.kind === 'desktop') return openDesktop(host.runtime, given);
  say(host.line);
  return runAttached('out/main/countersign.cjs', ['open', ...given]);
}

async function findOrDownload(): Promise<Download> {
  const runtime = findElectron();
  if (runtime !== null) return { kind: 'arrived', runtime };
  if (process.env['ELECTRON_OVERRIDE_DIST_PATH'] !== undefined)
    return { kind: 'failed', reason: 'not there' };
  say('Downloading Electron, once');
  const line = progressLine('Electron');
  try {
    return await downloadElectron({ whenStalled: 'leave', onProgress: line.update });
  } finally {
    line.end();
  }
}

async function openDesktop(runtime: ElectronRuntime, given: readonly string[]): Promise<number> {
  const { args, skipped } = desktopArguments(given);
  if (skipped.length > 0) say(`The desktop app does not know ${skipped.join(', ')}: left out.`);
  // Terminals of some editors set this variable, with which Electron would run as plain Node.
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: undefined };
  const words = [projectRoot, ...args];
  return runProgramAttached(runtime.executable, words, { env, quitArgs: [...words, '--quit-for-update'] });
}

/**
 * True if programs may create user namespaces on this Linux; Chromium's sandbox needs them. Tries it, because a setting, a
 * profile or a container's rules may forbid it.
 */
function canSandbox(): boolean {
  return spawnSync('unshare', ['--user', '--map-root-user', 'true'], { stdio: 'ignore' }).status === 0;
}

interface DesktopArguments {
  args: string[];
  skipped: string[];
}

/**
 * Converts the arguments of `npm start` to those of the desktop app: `--data-folder` becomes Electron's user data folder;
 * arguments for the browser host are dropped.
 */
export function desktopArguments(given: readonly string[]): DesktopArguments {
  const args: string[] = [];
  const skipped: string[] = [];
  for (const word of joinValues(given)) {
    const folder = /^--data-folder[= ](.+)$/s.exec(word)?.[1];
    if (folder === undefined) skipped.push(word);
    else args.push(`--user-data-dir=${resolve(folder)}`);
  }
  return { args, skipped };
}

function joinValues(given: readonly string[]): string[] {
  const joined: string[] = [];
  for (const [index, word] of given.entries()) {
    const before = given[index - 1];
    const isValue = before !== undefined && /^--[^=]+$/.test(before) && !word.startsWith('-');
    if (isValue) joined.push(`${joined.pop()} ${word}`);
    else joined.push(word);
  }
  return joined;
}

export interface Machine {
  platform: NodeJS.Platform;
  isRoot: boolean;
  env: NodeJS.ProcessEnv;
  canSandbox(): boolean;
  /** Returns an installed or downloaded Electron, or why there is none. Called last, because it may download. */
  getRuntime(): Promise<Download>;
}

type Host = { kind: 'desktop'; runtime: ElectronRuntime } | { kind: 'browser'; line: string };

export async function desktopOrBrowser(machine: Machine): Promise<Host> {
  const reason = reasonAgainst(machine);
  if (reason !== null) return inBrowser(reason);
  const download = await machine.getRuntime();
  if (download.kind === 'arrived') return { kind: 'desktop', runtime: download.runtime };
  const named = machine.env['ELECTRON_OVERRIDE_DIST_PATH'];
  if (named !== undefined)
    return inBrowser(`ELECTRON_OVERRIDE_DIST_PATH names ${named}, which contains no Electron`);
  return inBrowser(download.kind === 'failed' ? `No Electron (${download.reason})` : stalled);
}

const stalled =
  `The download of Electron brought nothing for ${stallLimitMs / 1_000} s; ` +
  'if it finishes in the background, the next start uses it';

function reasonAgainst({ platform, isRoot, env, canSandbox }: Machine): string | null {
  if (isRoot) return 'As root the desktop window cannot open';
  if (platform !== 'linux') return null;
  if (!env['DISPLAY'] && !env['WAYLAND_DISPLAY']) return 'There is no display for the desktop window';
  if (!canSandbox()) return 'This system refuses the sandbox that the desktop window needs';
  return null;
}

const inBrowser = (reason: string): Host => ({
  kind: 'browser',
  line: `${reason}: opening in the browser, Demo only.`,
});
