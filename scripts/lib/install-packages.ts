import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';

export function canInstallPackages(): boolean {
  return process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
}

export async function installPackages(names: readonly string[]): Promise<void> {
  await aptGet(['update']);
  await aptGet(['install', '--yes', '--no-install-recommends', ...names]);
}

async function aptGet(args: readonly string[]): Promise<void> {
  const child = spawn('apt-get', ['-qq', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (exitCode !== 0) throw new Error(`apt-get ${args.join(' ')} failed:\n${said.trim()}`);
}
