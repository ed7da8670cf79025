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

/** The window for a dialog, or null. On macOS a dialog without a window blocks the program; on a hidden window nobody can answer. */
export function parentFor<W extends DialogParent>(
  platform: NodeJS.Platform,
  wanted: W | null,
  all: readonly W[],
): W | null {
  if (platform !== 'darwin') return wanted;
  const candidates = wanted === null ? all : [wanted, ...all];
  return candidates.find((window) => window.isVisible() && !window.isMinimized()) ?? null;
}
