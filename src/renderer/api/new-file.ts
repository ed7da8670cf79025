import type { FilePart } from '#shared/host-api/index.ts';
import { desktopHost } from './desktop-host.ts';

/** A file that is written part by part. Nothing of it is to be seen before its end. */
export interface NewFile {
  /** As the person chose it. */
  name: string;
  /** Text is written as UTF-8. */
  add(part: FilePart): Promise<void>;
  /** Puts it in its place, or throws it away. */
  end(keep: boolean): Promise<void>;
}

/**
 * Asks where a new file shall go: the desktop by the system's dialog, every other host as a download at its end. Null
 * when none is wanted. Fails with `storage_failed` or `core_unreachable`.
 */
export async function newFile(suggestedName: string): Promise<NewFile | null> {
  if (desktopHost === null) return download(suggestedName);
  const host = desktopHost;
  const name = await host.beginFile(suggestedName);
  return name === null ? null : { name, add: host.addToFile, end: host.endFile };
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

/** How long the browser may take to begin with it. */
const beginWithinMs = 60_000;

function press(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), beginWithinMs);
}
