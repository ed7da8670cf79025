import { spawnSync } from 'node:child_process';

/**
 * Whether programs may make user namespaces on this Linux, which Chromium's sandbox is built from. A system may refuse
 * them by a setting, a profile or a container's rules, so it is tried.
 */
export function canSandbox(): boolean {
  return spawnSync('unshare', ['--user', '--map-root-user', 'true'], { stdio: 'ignore' }).status === 0;
}
