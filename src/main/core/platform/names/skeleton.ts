import { confusables } from './confusables.ts';

let prototypes: ReadonlyMap<string, string> | undefined;

function readTable(): ReadonlyMap<string, string> {
  const read = new Map<string, string>();
  for (const word of confusables.trim().split(/\s+/)) {
    const [target = '', letters = ''] = word.split(':');
    const prototype = textOf(target.split('+'));
    for (const letter of letters.split(',')) read.set(textOf([letter]), prototype);
  }
  return read;
}

function textOf(codePoints: readonly string[]): string {
  return String.fromCodePoint(...codePoints.map((codePoint) => Number.parseInt(codePoint, 16)));
}

/** The skeleton of a text (UTS #39, section 4). Texts with equal skeletons look alike; use a skeleton only for comparing. */
export function skeleton(text: string): string {
  const table = (prototypes ??= readTable());
  const visible = text.normalize('NFD').replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  return [...visible]
    .map((letter) => table.get(letter) ?? letter)
    .join('')
    .normalize('NFD');
}

/** Readings of a name without case, marks, spaces and signs, also reversed for bidi controls; for example I can be read as l. */
export function readingsOf(name: string): readonly string[] {
  const directions = hasDirection.test(name) ? [name, [...name].toReversed().join('')] : [name];
  const forms = directions.flatMap((text) => [text, text.normalize('NFKD')]);
  const readings = forms.flatMap((text) => [text, text.toLowerCase()]).map(reading);
  return [...new Set(readings)];
}

const hasDirection = /\p{Bidi_Control}/u;

function reading(text: string): string {
  const whole = skeleton(text).toLowerCase();
  const letters = whole.replace(/[^\p{L}\p{N}]/gu, '');
  return letters === '' ? whole : letters;
}

export function looksAlike(one: string, other: string): boolean {
  const readings = new Set(readingsOf(one));
  return readingsOf(other).some((text) => readings.has(text));
}

/** Returns the letters that look like plain Latin letters but are not, for example a Cyrillic а. Accented letters are not included. */
export function lookAlikeLetters(name: string): string[] {
  const isPlain = (text: string): boolean => /^[\x20-\x7e]+$/.test(text);
  const letters = [...name.normalize('NFC')].filter((letter) => {
    if (isPlain(letter) || !/[\p{L}\p{N}]/u.test(letter)) return false;
    const isAccented = isPlain(letter.normalize('NFD')[0] ?? '');
    return !isAccented && isPlain(skeleton(letter).replace(/\p{M}/gu, ''));
  });
  return [...new Set(letters)];
}
