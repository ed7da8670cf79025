import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { lineOf, sourcesBelow } from '../lib/source-files.ts';
import type { Check } from './check.ts';

const suppression = /^\s*(?:(?:oxlint|eslint)-disable|prettier-ignore|@ts-(?:ignore|nocheck)\b)/;

const reason = / -- \S/;

/**
 * Requires a reason on the line of every suppression. `@ts-ignore` needs a reason too, although lint refuses it anyway, because
 * only `@ts-expect-error` is reported once it is no longer needed.
 */
export const suppressionsCheck: Check = {
  name: 'suppressions with a reason',
  remedy: 'Mend the cause, or write ` -- ` and why behind the suppression.',
  run(root) {
    const problems: string[] = [];
    for (const file of ['src', 'test', 'scripts'].flatMap((folder) => sourcesBelow(root, folder))) {
      const text = readFileSync(join(root, file), 'utf8');
      for (const { value, start } of parseSync(file, text).comments) {
        const [first = ''] = value.split('\n');
        if (!suppression.test(first) || reason.test(first)) continue;
        problems.push(`${file}:${lineOf(text, start)}: \`${first.trim()}\``);
      }
    }
    return { problems, notes: [] };
  },
};
