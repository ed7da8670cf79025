import { join } from 'node:path';

/** Facts about the program that starts a core. */
export interface RuntimeEnvironment {
  /** Asks whether the binding of the databases loads in this runtime: one that does not may end the process that tries. */
  loadsBinding(): boolean;
  isPackaged: boolean;
  platform: NodeJS.Platform;
  /** Folder of the main bundle: `out/main` of the checkout or of the package. */
  mainFolder: string;
  /** The core's file there: the real one, or that of training. */
  core: 'core.cjs' | 'training-core.cjs';
}

/** In which process a core runs, and with which files. */
export type ProcessChoice =
  { kind: 'utility'; file: string } | { kind: 'fork'; file: string; execPath: string };

/**
 * Electron's own process where the binding loads in it. Otherwise a checkout borrows the Node of the toolchain. A package has
 * none, and none that is lying around may take its place; it is made with the one binding that fits, so it is not asked.
 */
export function chooseProcess(surroundings: RuntimeEnvironment): ProcessChoice {
  const { loadsBinding, isPackaged, platform, mainFolder, core } = surroundings;
  const file = join(mainFolder, core);
  if (isPackaged || loadsBinding()) return { kind: 'utility', file };
  const program = platform === 'win32' ? 'node.exe' : 'node';
  return { kind: 'fork', file, execPath: join(mainFolder, '../../node_modules/node/bin', program) };
}
