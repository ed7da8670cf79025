import { AppError } from '#shared/errors/index.ts';
import { desktopHost } from './desktop-host.ts';

/** Puts a text on the clipboard, as the host allows it. Fails with `clipboard_refused` where neither the host nor the browser does. */
export async function copyText(text: string): Promise<void> {
  if (desktopHost) await desktopHost.copyText(text);
  else await asAllowed(() => navigator.clipboard.writeText(text));
}

/** True where this browser can put a picture on the clipboard. */
export const canCopyPicture =
  typeof ClipboardItem === 'function' && typeof navigator.clipboard?.write === 'function';

/** Puts a PNG on the clipboard. Fails with `clipboard_refused`. */
export async function copyPicture(picture: Blob): Promise<void> {
  await asAllowed(() => navigator.clipboard.write([new ClipboardItem({ 'image/png': picture })]));
}

/** A browser refuses the clipboard by a `DOMException`: without its focus, or where it was forbidden. */
async function asAllowed(write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (cause) {
    throw new AppError('clipboard_refused', { cause });
  }
}
