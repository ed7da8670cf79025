import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../scripts/lib/run-tool.ts';
import { sourcesBelow } from '../../scripts/lib/source-files.ts';

test('the glossary lists each term once', () => {
  const listed = terms().map((term) => term.toLowerCase());
  expect(listed.length).toBeGreaterThan(80);
  expect(listed.filter((term, index) => listed.indexOf(term) !== index)).toEqual([]);
});

test('code, interface or comments of the sources use every term of the glossary', () => {
  const sources = sourcesBelow(projectRoot, 'src').map((file) =>
    readFileSync(join(projectRoot, file), 'utf8'),
  );
  const used = joined(sources.join('\n'));
  expect(terms().filter((term) => !used.includes(joined(term.replace(/s$/, ''))))).toEqual([]);
});

function terms(): string[] {
  const glossary = readFileSync(join(projectRoot, 'docs/glossary.md'), 'utf8');
  return [...glossary.matchAll(/^- ((?:\*\*[^*]+\*\*(?:, )?)+)/gm)].flatMap(([, bold = '']) =>
    [...bold.matchAll(/\*\*([^*]+)\*\*/g)].flatMap(([, names = '']) => names.split(', ')),
  );
}

/** “Send checks”, `sendChecks`, `send-checks` and `send_checks` become `sendchecks`. */
function joined(text: string): string {
  return text.toLowerCase().replace(/[\s_-]+/g, '');
}
