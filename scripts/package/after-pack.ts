import { join } from 'node:path';
import type { AfterPackContext } from 'electron-builder';
import { setFuses } from './fuses.ts';
import { needsAdHocSignature } from './signing.ts';

/** How the program is called in the folder that is being packed. */
function programOf({ packager, electronPlatformName }: AfterPackContext): string {
  const name = packager.appInfo.productFilename;
  if (electronPlatformName === 'darwin') return `${name}.app`;
  if (electronPlatformName === 'win32') return `${name}.exe`;
  return packager.config.linux?.executableName ?? name;
}

/**
 * Sets the fuses, before anything is signed. Not left to electron-builder's `electronFuses`: that one does not know the
 * newest fuse, and does not fail where one is missing.
 */
export async function afterPack(context: AfterPackContext): Promise<void> {
  const resetAdHocSignature = needsAdHocSignature(context);
  await setFuses(join(context.appOutDir, programOf(context)), { resetAdHocSignature });
}
