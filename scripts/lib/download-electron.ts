import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { electronPackage, findElectron, type ElectronRuntime } from './find-electron.ts';

/**
 * Lets Electron's own installer bring the runtime; one that takes longer than `limitMs` is ended. Null where none came.
 * Where `ELECTRON_OVERRIDE_DIST_PATH` names another place, nothing is downloaded.
 */
export async function downloadElectron(
  limitMs: number,
  env: NodeJS.ProcessEnv = process.env,
  into: string = electronPackage,
): Promise<ElectronRuntime | null> {
  if (env['ELECTRON_OVERRIDE_DIST_PATH'] !== undefined) return findElectron(env);
  const child = spawn(process.execPath, [join(into, 'install.js')], { env, stdio: 'ignore' });
  let inTime = true;
  const timer = setTimeout(() => {
    inTime = false;
    child.kill('SIGKILL');
  }, limitMs);
  try {
    await new Promise<void>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', () => resolve());
    });
  } finally {
    clearTimeout(timer);
  }
  // The installer writes this file last; one from an earlier download would call a half-unpacked runtime whole.
  if (!inTime) rmSync(join(into, 'path.txt'), { force: true });
  return findElectron(env, into);
}
