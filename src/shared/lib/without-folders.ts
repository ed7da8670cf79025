export type HiddenFolder = readonly [folder: string, placeholder: string];

/** Every spelling of a path separator: plain, escaped once or twice in JSON, or percent-encoded. */
const separator = String.raw`(?:/|\\{1,4}|%5[cC]|%2[fF])`;

/**
 * Replaces every spelling of the folders: either separator, JSON or percent escapes, composed or decomposed letters.
 * Pass nested folders in any order: the longest is replaced first.
 */
export function withoutFolders(
  text: string,
  folders: readonly HiddenFolder[],
  { ignoreCase }: { ignoreCase: boolean },
): string {
  const longestFirst = folders.toSorted(([one], [other]) => other.length - one.length);
  return longestFirst.reduce((left, [folder, placeholder]) => {
    const segments = folder.split(/[/\\]+/u).filter((segment) => segment !== '');
    if (segments.length === 0) return left;
    const pattern = segments.map(segmentPattern).join(separator);
    const root = separator.repeat(/^[/\\]*/u.exec(folder)?.[0].length ?? 0);
    // A longer name that begins with this folder's name is another folder.
    const spelled = new RegExp(`${root}${pattern}(?![\\p{L}\\p{N}_])`, ignoreCase ? 'giu' : 'gu');
    return left.replace(spelled, () => placeholder);
  }, text);
}

/** Builds the pattern letter by letter, because each letter may be spelled differently. */
function segmentPattern(segment: string): string {
  return [...segment.normalize('NFC')].map(letterPattern).join('');
}

function letterPattern(letter: string): string {
  const forms = new Set([letter, letter.normalize('NFD')]);
  return `(?:${[...forms].map((form) => [...form].map(pointPattern).join('')).join('|')})`;
}

function pointPattern(point: string): string {
  const units = point.split('').map((unit) => String.raw`\\{1,4}u` + hex(unit.charCodeAt(0), 4));
  return `(?:${literal(point)}|${encoded(point)}|${units.join('')})`;
}

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`);

function encoded(point: string): string {
  // A lone surrogate cannot be percent-encoded.
  if (!point.isWellFormed()) return literal(point);
  const code = point.charCodeAt(0);
  const address = code < 0x80 ? `%${code.toString(16).padStart(2, '0')}` : encodeURIComponent(point);
  return eitherCase(address.toLowerCase());
}

const hex = (value: number, length: number): string => eitherCase(value.toString(16).padStart(length, '0'));

const eitherCase = (digits: string): string =>
  digits.replace(/[a-f]/gu, (digit) => `[${digit}${digit.toUpperCase()}]`);
