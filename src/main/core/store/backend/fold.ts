/** The form in which names are compared: composed, in lower case. `É` and `e\u0301` are the same letter. */
export function fold(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
