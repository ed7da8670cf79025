import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { filesBelow } from '../lib/source-files.ts';
import type { Check } from './check.ts';

const longestLine = 160;

const generated = new Set(['docs/errors.md', 'docs/imports.md']);

const namedPath = /`((?:src|test|scripts|docs|\.github|\.ci)\/[\w./-]+|resources\/[\w/-]+\.\w+)`/g;

const writtenByTests = /(?:^|\/)\.output(?:\/|$)/;

const link = /\]\(([^)#\s:]+)(?:#[^)\s]*)?\)/g;

export const documentsCheck: Check = {
  name: 'documents',
  remedy: 'Name the file where it is now; wrap lines of prose at 160 characters.',
  run(root) {
    const problems: string[] = [];
    for (const file of filesBelow(root, '.').filter((name) => name.endsWith('.md'))) {
      let isDrawing = false;
      for (const [index, line] of readFileSync(join(root, file), 'utf8').split('\n').entries()) {
        if (/^\s*```/.test(line)) isDrawing = !isDrawing;
        const place = `${file}:${index + 1}`;
        for (const name of missing(root, file, line)) problems.push(`${place}: there is no ${name}`);
        const isProse = !isDrawing && !line.trimStart().startsWith('|') && !generated.has(file);
        if (isProse && [...line].length > longestLine)
          problems.push(`${place}: longer than ${longestLine} characters`);
      }
    }
    return { problems, notes: [] };
  },
};

function missing(root: string, file: string, line: string): string[] {
  const named = [...line.matchAll(namedPath)].map(([, path = '']) => [path, join(root, path)] as const);
  const linked = [...line.matchAll(link)].map(
    ([, path = '']) => [path, join(root, dirname(file), path)] as const,
  );
  return [...named, ...linked].flatMap(([path, place]) =>
    writtenByTests.test(path) || existsSync(place) ? [] : [path],
  );
}
