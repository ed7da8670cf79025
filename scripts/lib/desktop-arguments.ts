import { resolve } from 'node:path';

/** Arguments of the desktop app, and those given ones that only the browser host knows. */
export interface DesktopArguments {
  args: string[];
  /** As it was written, an option together with its value. */
  leftOut: string[];
}

/**
 * Puts the arguments of `npm start` into the desktop app's words: `--data-folder` becomes the folder in which Electron keeps
 * everything; what else belongs to the browser host is left out.
 */
export function desktopArguments(given: readonly string[]): DesktopArguments {
  const args: string[] = [];
  const leftOut: string[] = [];
  for (const word of joinValues(given)) {
    const folder = /^--data-folder[= ](.+)$/s.exec(word)?.[1];
    if (folder === undefined) leftOut.push(word);
    else args.push(`--user-data-dir=${resolve(folder)}`);
  }
  return { args, leftOut };
}

/** Each option with the value that follows it, as one text. */
function joinValues(given: readonly string[]): string[] {
  const joined: string[] = [];
  for (const [index, word] of given.entries()) {
    const before = given[index - 1];
    const isValue = before !== undefined && /^--[^=]+$/.test(before) && !word.startsWith('-');
    if (isValue) joined.push(`${joined.pop()} ${word}`);
    else joined.push(word);
  }
  return joined;
}
