import { canSandbox } from './can-sandbox.ts';
import { desktopArguments } from './desktop-arguments.ts';
import { desktopOrBrowser, downloadLimitMs } from './desktop-or-browser.ts';
import { downloadElectron } from './download-electron.ts';
import { findElectron, type ElectronRuntime } from './find-electron.ts';
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
    getRuntime: async () => findElectron() ?? (await downloadElectron(downloadLimitMs)),
  });
  if (host.kind === 'desktop') return openDesktop(host.runtime, given);
  say(host.line);
  return runAttached('out/main/countersign.js', ['open', ...given]);
}

async function openDesktop(runtime: ElectronRuntime, given: readonly string[]): Promise<number> {
  const { args, leftOut } = desktopArguments(given);
  if (leftOut.length > 0) say(`The desktop app does not know ${leftOut.join(', ')}: left out.`);
  // Where an editor's terminal has set it, Electron would run as a plain Node.
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: undefined };
  return runProgramAttached(runtime.executable, [projectRoot, ...args], env);
}
