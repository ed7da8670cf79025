/** The form in which texts are searched and compared: composed, in lower case. `É` and `e\u0301` are the same letter. */
export function foldedText(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

/** True for names that differ in case alone: they are the same to a reader. */
export function isSameName(left: string, right: string): boolean {
  return foldedText(left.trim()) === foldedText(right.trim());
}
