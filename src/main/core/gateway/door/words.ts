import { firstWords, secondWords } from './word-list.ts';

/**
 * Two words out of 65,536 pairs, made of a secret: a person compares them, nobody types them. Enough to tell one request
 * for access from another that somebody else began at the same moment.
 */
export function twoWords(secret: string): string {
  const [first = 0, second = 0] = Buffer.from(secret, 'base64url');
  return `${firstWords[first % firstWords.length]} ${secondWords[second % secondWords.length]}`;
}
