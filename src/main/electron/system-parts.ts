import { shell } from 'electron';
import { systemCore } from './core-link/index.ts';
import type { DesktopParts } from './start-desktop.ts';
import { systemVaultCipher } from './vault/index.ts';

/** The parts of the real program. Made beside the main bundle: the core's bundle is looked for in the same folder. */
export function systemParts(): DesktopParts {
  return {
    startCoreProcess: systemCore(import.meta.dirname),
    vaultCipher: systemVaultCipher(),
    openInBrowser: (url) => shell.openExternal(url),
  };
}
