import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface PinnedPackage {
  name: string;
  integrity: string;
}

/** Downloads a package with npm into a folder; resolves to its file. Fails if its bytes are not the pinned ones. */
export async function fetchPinnedPackage({ name, integrity }: PinnedPackage, into: string): Promise<string> {
  const args = ['pack', '--ignore-scripts', '--silent', name];
  const { stdout } = await promisify(execFile)('npm', args, { cwd: into });
  const file = join(into, stdout.trim());
  const hash = createHash('sha512').update(readFileSync(file)).digest('base64');
  if (`sha512-${hash}` !== integrity) throw new Error(`${name} is not the package that was pinned`);
  return file;
}
