import { app as electronApp, type BrowserWindow, dialog } from 'electron';
import { join } from 'node:path';
import type { PagePlace } from '#shared/host-api/index.ts';
import type { SaverOptions } from './saver.ts';

/** Where the unfinished files of each place lie on macOS. */
const stagingFolder = (place: PagePlace): string =>
  join(electronApp.getPath('userData'), place === 'work' ? 'saves' : 'training-saves');

/** The folders in which a save that never ended leaves its file, on macOS. */
export const stagingFolders = (): string[] => [stagingFolder('work'), stagingFolder('training')];

/**
 * Asks with the system's own dialog where a file shall go, in front of a window where there is one. macOS lets the app write the chosen
 * path and nothing beside it: there an unfinished file lies in a folder of the place.
 */
export function nativeSaveTarget(
  app: { browserWindow(): BrowserWindow | null },
  place: PagePlace,
): SaverOptions {
  return {
    async askWhere(suggestedName) {
      const options = { defaultPath: suggestedName };
      const window = app.browserWindow();
      const { canceled, filePath } = await (window === null
        ? dialog.showSaveDialog(options)
        : dialog.showSaveDialog(window, options));
      return canceled || filePath === '' ? null : filePath;
    },
    stagingFolder: process.platform === 'darwin' ? stagingFolder(place) : null,
  };
}
