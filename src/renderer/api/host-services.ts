import { AppError } from '#shared/errors/index.ts';
import type { FilePart, PagePlace } from '#shared/host-api/index.ts';
import { desktopHost } from './desktop-host.ts';
import { placeOfPage } from './bridge.ts';

/** Fails with `clipboard_refused`. */
export async function copyText(text: string): Promise<void> {
  if (desktopHost) await desktopHost.ask('desktop.copyText', { text });
  else await asAllowed(() => navigator.clipboard.writeText(text));
}

export const canCopyPicture =
  typeof ClipboardItem === 'function' && typeof navigator.clipboard?.write === 'function';

/** Copies a PNG to the clipboard. Fails with `clipboard_refused`. */
export async function copyPicture(picture: Blob): Promise<void> {
  await asAllowed(() => navigator.clipboard.write([new ClipboardItem({ 'image/png': picture })]));
}

/** A browser reports a refused clipboard as a `DOMException`. */
async function asAllowed(write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (cause) {
    throw new AppError('clipboard_refused', { cause });
  }
}

/** A file that is written in parts. It becomes visible only when it is complete. */
export interface NewFile {
  name: string;
  add(part: FilePart): Promise<void>;
  end(keep: boolean): Promise<void>;
}

/** Asks where to save a new file. Null if the person cancels. Fails with `storage_failed` or `core_unreachable`. */
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

function download(name: string): NewFile {
  let parts: Blob[] = [];
  return {
    name,
    async add(part) {
      // Copies the bytes, because they may be in memory that a worker shares.
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

/** The file must stay available for this long, so that the browser can start the download. */
const beginWithinMs = 60_000;

function press(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), beginWithinMs);
}

/** Training uses its own confirmation window. */
export const confirmWindowName = (place: PagePlace = placeOfPage()): string =>
  place === 'training' ? 'countersign-training-confirm' : 'countersign-confirm';

/** Opens or reuses the confirmation window. Returns false if the browser blocked it; the person then needs a link. */
export function openConfirmWindow(address: string, place: PagePlace = placeOfPage()): boolean {
  return window.open(address, confirmWindowName(place), 'popup,width=760,height=680') !== null;
}

/** Adds this page's theme to the address. The confirmation has another origin and cannot read the settings. */
export function withTheme(address: string): string {
  const theme = document.documentElement.dataset['theme'];
  return theme === undefined ? address : `${address}&theme=${theme}`;
}
