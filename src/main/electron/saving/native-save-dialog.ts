import { dialog, type BrowserWindow } from 'electron';

/** Asks with the system's own dialog, in front of the app's window where there is one. */
export function nativeSaveDialog(app: { browserWindow(): BrowserWindow | null }) {
  return async (suggestedName: string): Promise<string | null> => {
    const options = { defaultPath: suggestedName };
    const window = app.browserWindow();
    const { canceled, filePath } = await (window === null
      ? dialog.showSaveDialog(options)
      : dialog.showSaveDialog(window, options));
    return canceled || filePath === '' ? null : filePath;
  };
}
