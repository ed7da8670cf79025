import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lineOf, filesBelow } from '../lib/source-files.ts';
import type { Check } from './check.ts';

const leaks: { what: string; pattern: RegExp }[] = [
  {
    what: 'a path of a developer’s machine',
    pattern: /(?<![\w.~}-])\/(?:root|home\/\w+|Users\/\w+)\/[\w.-]/g,
  },
  { what: 'a path of a developer’s machine', pattern: /\b[A-Z]:\\{1,2}Users\\{1,2}\w+/g },
  { what: 'a private key', pattern: /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----\s+[\w+/=]{16}/g },
  { what: 'a signed token', pattern: /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{32,}/g },
  { what: 'an access key', pattern: /\b(?:AKIA[0-9A-Z]{16}|gh[pousr]_\w{36,}|sk-[\w-]{32,}|npm_\w{36})\b/g },
  {
    what: 'credentials in an address',
    pattern: /\bhttps?:\/\/[^\s/:@'"`$<>]+:[^\s/@'"`$<>]+@(?!example\b|evil\b)\w/g,
  },
  { what: 'where a package was downloaded', pattern: /"resolved":\s"https?:/g },
];

const binary = /\.(?:png|webp|ico|icns|woff2?|sqlite|db|zip|gz)$/;

export const leaksCheck: Check = {
  name: 'secrets and machine paths',
  remedy: 'Remove it. A secret that was ever committed has to be replaced where it is used.',
  run(root) {
    const problems: string[] = [];
    for (const file of filesBelow(root, '.').filter((name) => !binary.test(name))) {
      const text = readFileSync(join(root, file), 'utf8');
      for (const { what, pattern } of leaks) {
        for (const match of text.matchAll(pattern)) {
          problems.push(`${file}:${lineOf(text, match.index)}: ${what}`);
        }
      }
    }
    return { problems, notes: [] };
  },
};
