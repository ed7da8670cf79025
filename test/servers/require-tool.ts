import { execFileSync, spawnSync } from 'node:child_process';

/**
 * Returns the path of a system tool that a test needs. If the tool is missing, root installs its Debian package (by default
 * the package with the tool's name); any other user gets a failure with instructions. A test that needs a tool is never
 * skipped for it.
 */
export function requireTool(name: string, debianPackage: string = name): string {
  const path = find(name) ?? (install(debianPackage) ? find(name) : null);
  if (path === null) {
    throw new Error(
      `This test needs ${name}, which is not installed. Install it (Debian: apt-get install ${debianPackage}).`,
    );
  }
  return path;
}

function find(name: string): string | null {
  const found = spawnSync('sh', ['-c', 'command -v "$1"', 'sh', name], { encoding: 'utf8' });
  return found.status === 0 ? found.stdout.trim() : null;
}

function install(debianPackage: string): boolean {
  if (process.getuid?.() !== 0 || find('apt-get') === null) return false;
  console.log(`Installing ${debianPackage}, which a test needs`);
  try {
    execFileSync('apt-get', ['update', '-qq'], { stdio: 'ignore' });
    execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', debianPackage], {
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  }
}
