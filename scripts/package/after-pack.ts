import { join } from 'node:path';
import { type AfterPackContext, Arch } from 'electron-builder';
import { setFuses } from './fuses.ts';
import type { BuildKind } from './signing.ts';

/** How the program is called in the folder that is being packed. */
function programOf({ packager, electronPlatformName }: AfterPackContext): string {
  const name = packager.appInfo.productFilename;
  if (electronPlatformName === 'darwin') return `${name}.app`;
  if (electronPlatformName === 'win32') return `${name}.exe`;
  return packager.config.linux?.executableName ?? name;
}

/**
 * Makes the step that sets the fuses, before anything is signed. Not left to electron-builder's `electronFuses`: that one does not
 * know the newest fuse, and does not fail where one is missing. Setting them breaks the signature that Electron comes with; a program
 * without one is ended at its start on Apple's own processors, so a test build gets a new one, and a release its own afterwards.
 */
export function afterPack(kind: BuildKind): (context: AfterPackContext) => Promise<void> {
  return async (context) => {
    const needsSignature = context.electronPlatformName === 'darwin' && context.arch === Arch.arm64;
    await setFuses(join(context.appOutDir, programOf(context)), {
      resetAdHocSignature: needsSignature && kind === 'test',
    });
  };
}
