import { AppError } from '#shared/errors/index.ts';
import type { FilePart, PagePlace } from '#shared/host-api/index.ts';
import { desktopHost } from './desktop-host.ts';
import { placeOfPage } from './place.ts';

/** Puts a text on the clipboard, as the host allows it. Fails with `clipboard_refused` where neither the host nor the browser does. */
export async function copyText(text: string): Promise<void> {
  if (desktopHost) await desktopHost.ask('desktop.copyText', { text });
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

/** A file that is written part by part. Nothing of it is to be seen before its end. */
export interface NewFile {
  name: string;
  add(part: FilePart): Promise<void>;
  /** Puts it in its place, or throws it away. */
  end(keep: boolean): Promise<void>;
}

/**
 * Asks where a new file shall go: the desktop by the system's dialog, every other host as a download at its end. Null
 * when none is wanted. Fails with `storage_failed` or `core_unreachable`.
 */
export async function newFile(suggestedName: string, host = desktopHost): Promise<NewFile | null> {
  if (host === null) return download(suggestedName);
  const { file } = await host.ask('desktop.beginFile', { name: suggestedName });
  if (file === null) return null;
  const { id, name } = file;
  return {
    name,
    add: async (part) => void (await host.ask('desktop.addToFile', { id, part })),
    end: async (keep) => void (await host.ask('desktop.endFile', { id, keep })),
  };
}

/** The browser keeps the parts on its own disk where they are many. */
function download(name: string): NewFile {
  let parts: Blob[] = [];
  return {
    name,
    async add(part) {
      // A copy: the bytes may lie in memory that a worker shares.
      parts.push(new Blob([typeof part === 'string' ? part : new Uint8Array(part)]));
    },
    async end(keep) {
      if (keep) press(new Blob(parts, { type: mediaTypeOf(name) }), name);
      parts = [];
    },
  };
}

const mediaTypes: Readonly<Record<string, string>> = {
  csv: 'text/csv;charset=utf-8',
  json: 'application/json',
  jsonl: 'application/jsonl',
  png: 'image/png',
};

function mediaTypeOf(name: string): string {
  return mediaTypes[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
}

/** Time limit for the browser to begin it. */
const beginWithinMs = 60_000;

function press(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), beginWithinMs);
}

/** The name of the one window of confirmations: that of training has another than the real one. */
export const confirmWindowName = (place: PagePlace = placeOfPage()): string =>
  place === 'training' ? 'countersign-training-confirm' : 'countersign-confirm';

/**
 * Opens the confirmation in its own window, on its own origin. One window by name: a second review reuses it. False when the
 * browser blocked it; then the person needs a link to press.
 */
export function openConfirmWindow(address: string, place: PagePlace = placeOfPage()): boolean {
  return window.open(address, confirmWindowName(place), 'popup,width=760,height=680') !== null;
}

/** The address of a confirmation with the theme that this page has now: that origin cannot read this one's settings. */
export function withTheme(address: string): string {
  const theme = document.documentElement.dataset['theme'];
  return theme === undefined ? address : `${address}&theme=${theme}`;
}
