export type HiddenFolder = readonly [folder: string, placeholder: string];

/** Every way in which a separator is written: as it is, escaped once or twice in JSON, or encoded in an address. */
const separator = String.raw`(?:/|\\{1,4}|%5[cC]|%2[fF])`;

/** Hides every spelling of the folders: either separator, JSON or percent escapes, composed letters. Longest first. */
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
    // A longer name that begins like this folder's is another folder.
    const spelled = new RegExp(`${root}${pattern}(?![\\p{L}\\p{N}_])`, ignoreCase ? 'giu' : 'gu');
    return left.replace(spelled, () => placeholder);
  }, text);
}

/** Letter by letter, since each may be written in its own way. */
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
  // Half a letter has no form in an address.
  if (!point.isWellFormed()) return literal(point);
  const code = point.charCodeAt(0);
  const address = code < 0x80 ? `%${code.toString(16).padStart(2, '0')}` : encodeURIComponent(point);
  return eitherCase(address.toLowerCase());
}

const hex = (value: number, length: number): string => eitherCase(value.toString(16).padStart(length, '0'));

const eitherCase = (digits: string): string =>
  digits.replace(/[a-f]/gu, (digit) => `[${digit}${digit.toUpperCase()}]`);
