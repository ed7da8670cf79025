import { inertText } from '#shared/lib/inert-text.ts';

/** Controls, direction marks and zero-width characters of a text, each once by its name: `U+202E`. */
export function invisibleMarks(text: string): string[] {
  const marks = inertText(text).match(/(?<=⟨)U\+[0-9A-F]{4,6}(?=⟩)/gu) ?? [];
  return [...new Set(marks)];
}
