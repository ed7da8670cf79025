import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Argument, parseSync, Visitor } from 'oxc-parser';
import { lineOf, sourcesBelow } from '../lib/source-files.ts';
import type { Check } from './check.ts';

const helpers = 'test/setup/eventually.ts';

/** Skipped, because benches measure time and pictures have their own runner. */
const measuring = /^test\/(?:bench|pictures)\//;

const pageReads = ['allInnerTexts', 'allTextContents', 'innerText', 'textContent', 'inputValue'];

export const testWaitsCheck: Check = {
  name: 'waits of tests',
  remedy:
    'Wait for a state with expect.poll, eventually or untilFound; their patience is in scripts/lib/test-settings.ts.',
  run(root) {
    const problems: string[] = [];
    for (const file of sourcesBelow(root, 'test')) {
      if (file === helpers || measuring.test(file)) continue;
      const text = readFileSync(join(root, file), 'utf8');
      new Visitor({
        CallExpression({ callee, arguments: [first, options], start }) {
          if (callee.type === 'Identifier' && callee.name === 'expect' && isPageRead(first))
            problems.push(`${file}:${lineOf(text, start)}: a text of a page that is read once`);
          if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
          const { name } = callee.property;
          const isOfVitest = callee.object.type === 'Identifier' && callee.object.name === 'vi';
          const place = `${file}:${lineOf(text, start)}`;
          if (isOfVitest && (name === 'waitFor' || name === 'waitUntil'))
            problems.push(`${place}: vi.${name}`);
          if (name === 'waitForTimeout') problems.push(`${place}: a wait for a time`);
          if (name !== 'poll' || options === undefined) return;
          const isMessage =
            options.type === 'ObjectExpression' &&
            options.properties.every(
              (option) =>
                option.type === 'Property' &&
                option.key.type === 'Identifier' &&
                option.key.name === 'message',
            );
          if (!isMessage) problems.push(`${place}: a poll with a patience of its own`);
        },
      }).visit(parseSync(file, text).program);
    }
    return { problems, notes: [] };
  },
};

function isPageRead(value: Argument | undefined): boolean {
  return (
    value?.type === 'AwaitExpression' &&
    value.argument.type === 'CallExpression' &&
    value.argument.callee.type === 'MemberExpression' &&
    value.argument.callee.property.type === 'Identifier' &&
    pageReads.includes(value.argument.callee.property.name)
  );
}
