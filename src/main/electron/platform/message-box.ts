import { BrowserWindow, dialog, type MessageBoxOptions } from 'electron';

export async function showBox(
  options: MessageBoxOptions,
  wanted: BrowserWindow | null = null,
): Promise<number> {
  const parent = parentFor(process.platform, wanted, BrowserWindow.getAllWindows());
  const box = parent === null ? dialog.showMessageBox(options) : dialog.showMessageBox(parent, options);
  return (await box).response;
}

export interface DialogParent {
  isVisible(): boolean;
  isMinimized(): boolean;
}

/**
 * Chooses the window that a dialog belongs to; null for none. On macOS a dialog without a window holds the whole program until it is
 * answered, and on a hidden window nobody can answer it: there it is the wanted one or another, as long as it is on screen.
 */
export function parentFor<W extends DialogParent>(
  platform: NodeJS.Platform,
  wanted: W | null,
  all: readonly W[],
): W | null {
  if (platform !== 'darwin') return wanted;
  const candidates = wanted === null ? all : [wanted, ...all];
  return candidates.find((window) => window.isVisible() && !window.isMinimized()) ?? null;
}
