import { join } from 'node:path';
import { Arch, type AfterPackContext } from 'electron-builder';
import { keepHelpersAwake } from './app-nap.ts';
import { electronVersionOf, systemOf, writeBuildRecord } from './build-record.ts';
import { setFuses } from './fuses.ts';
import { needsAdHocSignature, signatureOf } from './signing.ts';
import { testMarkOf } from './test-mark.ts';

function pathsOf({ packager, electronPlatformName }: AfterPackContext): {
  program: string;
  electron: string;
} {
  const name = packager.appInfo.productFilename;
  if (electronPlatformName === 'darwin') {
    const framework = 'Contents/Frameworks/Electron Framework.framework/Versions/A/Electron Framework';
    return { program: `${name}.app`, electron: `${name}.app/${framework}` };
  }
  const program =
    electronPlatformName === 'win32' ? `${name}.exe` : (packager.config.linux?.executableName ?? name);
  return { program, electron: program };
}

/**
 * Sets the fuses, before anything is signed, and records what was packed. Not left to electron-builder's `electronFuses`: that
 * one does not know the newest fuse, and does not fail where one is missing.
 */
export async function afterPack(context: AfterPackContext): Promise<void> {
  const { program, electron } = pathsOf(context);
  if (context.electronPlatformName === 'darwin') keepHelpersAwake(join(context.appOutDir, program));
  await setFuses(join(context.appOutDir, program), { resetAdHocSignature: needsAdHocSignature(context) });
  const { packager, arch } = context;
  const resources = packager.getResourcesDir(context.appOutDir);
  writeBuildRecord(context.outDir, {
    version: packager.appInfo.version,
    platform: systemOf(context.electronPlatformName),
    arch: arch === Arch.arm64 ? 'arm64' : 'x64',
    electron: electronVersionOf(join(context.appOutDir, electron)),
    signature: signatureOf(context),
    test: testMarkOf(join(resources, 'app.asar')),
  });
}
