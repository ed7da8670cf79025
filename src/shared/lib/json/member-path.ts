import { inertText, quoted } from '../inert-text.ts';

/** The path of an object's member for people: `a.b`, or `a[“b c”]`. Names are foreign: one that could look like a path stands as a quotation. */
export function memberPath(path: string, name: string): string {
  const isPlain = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(name) && inertText(name) === name;
  if (!isPlain) return `${path}[${quoted(name)}]`;
  return path === '' ? name : `${path}.${name}`;
}
