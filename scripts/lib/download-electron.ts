import { spawn, type ChildProcess } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { electronPackage, findElectron, type ElectronRuntime } from './find-electron.ts';
import { isRunning } from './processes.ts';

export const stallLimitMs = 20_000;

const lookMs = 200;

/**
 * In milliseconds. A download without progress for this long has ended, because the installer gives up sooner. Its process id may
 * belong to another program by then.
 */
const deadAfterMs = 600_000;

export type Download =
  { kind: 'arrived'; runtime: ElectronRuntime } | { kind: 'failed'; reason: string } | { kind: 'stalled' };

export interface DownloadOptions {
  stallMs?: number;
  /** `leave` lets a stalled download continue in the background for the next start; `end` stops it. */
  whenStalled: 'leave' | 'end';
  onProgress?(bytes: number): void;
  env?: NodeJS.ProcessEnv;
  into?: string;
}

/**
 * Downloads the runtime with Electron's own installer, or waits for an installer that is already running. Waits as long as bytes
 * arrive. An incomplete download is never used: the installer writes its mark last, and the mark is removed before it begins. A
 * signal that ends this process also ends its download.
 */
export async function downloadElectron({
  stallMs = stallLimitMs,
  whenStalled,
  onProgress = () => {},
  env = process.env,
  into = electronPackage,
}: DownloadOptions): Promise<Download> {
  const work = join(into, '.download');
  const own = isUnderWay(work) ? null : startInstaller(into, work, env);
  const keepSignals = own === null ? () => {} : endWithThisProcess(own);
  let bytes = 0;
  let changedAtMs = performance.now();
  try {
    while (own === null ? isUnderWay(work) : own.exitCode === null && own.signalCode === null) {
      await new Promise((resolve) => setTimeout(resolve, lookMs));
      const now = below(join(work, 'temp')).bytes + below(join(into, 'dist')).bytes;
      if (now !== bytes) changedAtMs = performance.now();
      if (now > bytes) onProgress(now);
      bytes = now;
      if (performance.now() - changedAtMs < stallMs) continue;
      if (own !== null) await letGo(own, whenStalled);
      return { kind: 'stalled' };
    }
  } finally {
    keepSignals();
  }
  const reason = firstLine(join(work, 'log'));
  rmSync(work, { recursive: true, force: true });
  const runtime = findElectron(withoutOverride(env), into);
  return runtime === null ? { kind: 'failed', reason } : { kind: 'arrived', runtime };
}

function startInstaller(into: string, work: string, env: NodeJS.ProcessEnv): ChildProcess {
  for (const left of ['path.txt', 'dist', '.download']) {
    rmSync(join(into, left), { recursive: true, force: true });
  }
  const temp = join(work, 'temp');
  mkdirSync(temp, { recursive: true });
  const log = openSync(join(work, 'log'), 'w');
  const child = spawn(process.execPath, [join(into, 'install.js')], {
    env: { ...withoutOverride(env), TMPDIR: temp, TEMP: temp, TMP: temp, ELECTRON_GET_NO_PROGRESS: '1' },
    stdio: ['ignore', log, log],
    detached: true,
    windowsHide: true,
  });
  closeSync(log);
  writeFileSync(join(work, 'pid'), String(child.pid));
  return child;
}

function isUnderWay(work: string): boolean {
  if (Date.now() - below(work).changedAtMs > deadAfterMs) return false;
  try {
    const pid = Number(readFileSync(join(work, 'pid'), 'utf8'));
    return pid > 0 && isRunning(pid);
  } catch {
    return false;
  }
}

function below(folder: string): { bytes: number; changedAtMs: number } {
  const sum = { bytes: 0, changedAtMs: 0 };
  for (const name of namesBelow(folder)) {
    const file = statSync(join(folder, name), { throwIfNoEntry: false });
    if (file?.isFile() !== true) continue;
    sum.bytes += file.size;
    sum.changedAtMs = Math.max(sum.changedAtMs, file.mtimeMs);
  }
  return sum;
}

function namesBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' });
  } catch {
    return [];
  }
}

async function letGo(child: ChildProcess, whenStalled: DownloadOptions['whenStalled']): Promise<void> {
  if (whenStalled === 'leave') return child.unref();
  const ended = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGKILL');
  await ended;
}

function endWithThisProcess(child: ChildProcess): () => void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const end = (signal: NodeJS.Signals): void => {
    child.kill('SIGKILL');
    takeBack();
    process.kill(process.pid, signal);
  };
  const takeBack = (): void => signals.forEach((signal) => void process.off(signal, end));
  signals.forEach((signal) => void process.on(signal, end));
  return takeBack;
}

/** Removes the variable, because the installer would look for the program in the folder that the variable names. */
function withoutOverride(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...env, ELECTRON_OVERRIDE_DIST_PATH: undefined };
}

function firstLine(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim().split('\n')[0] || 'its installer said nothing';
  } catch {
    return 'its installer said nothing';
  }
}
