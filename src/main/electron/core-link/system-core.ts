import { app } from 'electron';
import { assertNever } from '#shared/lib/assert-never.ts';
import { chooseProcess } from './choose-process.ts';
import type { StartCoreProcess } from './core-process.ts';
import { startForkedProcess } from './forked-process.ts';
import { refusedProcess } from './refused-process.ts';
import { startUtilityProcess } from './utility-process.ts';

/** Starts cores beside the main bundle in `mainFolder`, in whichever process this runtime offers. */
export function systemCore(mainFolder: string): StartCoreProcess {
  const choice = chooseProcess({
    nodeVersion: process.versions.node,
    isPackaged: app.isPackaged,
    platform: process.platform,
    mainFolder,
  });
  return () => {
    switch (choice.kind) {
      case 'utility':
        return startUtilityProcess(choice.file);
      case 'fork':
        return startForkedProcess(choice.file, choice.execPath);
      case 'refused':
        return refusedProcess(choice.error);
      default:
        return assertNever(choice);
    }
  };
}
