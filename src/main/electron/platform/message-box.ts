import { BrowserWindow, dialog, type MessageBoxOptions } from 'electron';
import { parentFor } from './dialog-parent.ts';

/** Shows a message box, above the wanted window where there is one. Resolves to the number of the button that was pressed. */
export async function showBox(
  options: MessageBoxOptions,
  wanted: BrowserWindow | null = null,
): Promise<number> {
  const parent = parentFor(process.platform, wanted, BrowserWindow.getAllWindows());
  const box = parent === null ? dialog.showMessageBox(options) : dialog.showMessageBox(parent, options);
  return (await box).response;
}
