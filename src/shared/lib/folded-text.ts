const otherLetters: Readonly<Record<string, string>> = { ß: 'ss', ı: 'i', ς: 'σ' };

/**
 * The form for searching: NFKD without combining marks, in lower case. `É` becomes `e`, `ß` becomes `ss`. A text of
 * marks only keeps them.
 */
export function foldedText(text: string): string {
  // Fast path for plain ASCII, which most names are.
  if (/^[\x20-\x7e]*$/u.test(text)) return text.toLowerCase();
  const folded = text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[ßıς]/gu, (letter) => otherLetters[letter] ?? letter);
  return folded === '' ? lowerCase(text) : folded;
}

/** The form for sorting and comparing names: composed (NFC), in lower case. */
export function lowerCase(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

/** True for names that differ only in case, or not at all: a reader takes them for one name. */
export function isSameName(left: string, right: string): boolean {
  return lowerCase(left.trim()) === lowerCase(right.trim());
}
