import { spawnSync } from 'node:child_process';
import { desktopArguments } from './desktop-arguments.ts';
import { desktopOrBrowser } from './desktop-or-browser.ts';
import { type Download, downloadElectron } from './download-electron.ts';
import { type ElectronRuntime, findElectron } from './find-electron.ts';
import { progressLine } from './progress-line.ts';
import { runAttached, runProgramAttached } from './run-attached.ts';
import { projectRoot } from './run-tool.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Opens the built app where this machine lets it, with the arguments of `npm start`. Resolves to its exit code. */
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

/** The Electron that is there, or the download of one; nothing is downloaded where the environment names a place. */
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
  const { args, leftOut } = desktopArguments(given);
  if (leftOut.length > 0) say(`The desktop app does not know ${leftOut.join(', ')}: left out.`);
  // Where an editor's terminal has set it, Electron would run as a plain Node.
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: undefined };
  const words = [projectRoot, ...args];
  return runProgramAttached(runtime.executable, words, { env, quitArgs: [...words, '--quit-for-update'] });
}

/**
 * True if programs may make user namespaces on this Linux, which Chromium's sandbox is built from. A system may refuse
 * them by a setting, a profile or a container's rules, so it is tried.
 */
function canSandbox(): boolean {
  return spawnSync('unshare', ['--user', '--map-root-user', 'true'], { stdio: 'ignore' }).status === 0;
}
