import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readBuildRecord, recordNameOf } from '../../scripts/package/build-record.ts';
import type { Trial } from './trial.ts';

/** Names that electron-builder gives to unpacked folders, for the architecture that needs no name. */
const folders: Partial<Record<NodeJS.Platform, string>> = { darwin: 'mac', win32: 'win-unpacked' };

/**
 * Returns what `npm run package` has left in a folder for a system: the unpacked app, the installer for Windows, and the signature
 * that the record of the build names. Fails where there is no such record.
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
