import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readBuildRecord, recordNameOf } from '../../scripts/package/build-record.ts';
import type { Trial } from './trial.ts';

/** electron-builder's names of unpacked folders, for the architecture that has no suffix. */
const folders: Partial<Record<NodeJS.Platform, string>> = { darwin: 'mac', win32: 'win-unpacked' };

/**
 * Returns the packages that `npm run package` has made in a folder for a system: the unpacked app, the installer for Windows,
 * and the signature in the record of the build. Fails without such a record.
 */
export function packagesInDist(
  dist: string,
  platform: NodeJS.Platform = process.platform,
  arch: string = process.arch,
): Pick<Trial, 'app' | 'installer' | 'signature'> {
  const usual = folders[platform] ?? 'linux-unpacked';
  const ofArch = arch === 'arm64' ? (usual === 'mac' ? 'mac-arm64' : usual.replace('-', '-arm64-')) : usual;
  const { signature } = readBuildRecord(join(dist, recordNameOf(platform, arch)));
  const installer = readdirSync(dist).find((name) => name.endsWith(`-win-${arch}.exe`));
  return {
    app: join(dist, ofArch),
    installer: installer === undefined ? null : join(dist, installer),
    signature,
  };
}
