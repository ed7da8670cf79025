import { stallLimitMs, type Download } from './download-electron.ts';
import type { ElectronRuntime } from './find-electron.ts';

/** Facts that decide whether a desktop window can open here. */
export interface Machine {
  platform: NodeJS.Platform;
  isRoot: boolean;
  env: NodeJS.ProcessEnv;
  /** True if a program may make the sandbox that Electron keeps its pages in; asked on Linux only. */
  canSandbox(): boolean;
  /** The Electron that is there or arrives, or why there is none. Asked last: it may take a download. */
  getRuntime(): Promise<Download>;
}

/** Where the app opens, and where that is the browser, the one line that says why. */
export type Host = { kind: 'desktop'; runtime: ElectronRuntime } | { kind: 'browser'; line: string };

/** The desktop where it can open; else the browser with the first reason against the desktop. */
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
