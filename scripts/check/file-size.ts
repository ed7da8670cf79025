import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sourcesBelow, lineOf } from '../lib/source-files.ts';
import type { Check } from './check.ts';
import { parseSync, Visitor } from 'oxc-parser';

const fileLines = { look: 300, split: 400 };

const exceptions: Readonly<Record<string, string>> = {
  'src/main/core/platform/names/confusables.ts': 'A table of the Unicode standard, written by a script.',
};

const functionLines = 80;

export const fileSizeCheck: Check = {
  name: 'file sizes',
  remedy: 'Split the file: one idea each.',
  run(root) {
    const problems: string[] = [];
    const notes: string[] = [];
    for (const file of ['src', 'scripts'].flatMap((folder) => sourcesBelow(root, folder))) {
      const text = readFileSync(join(root, file), 'utf8');
      const lines = text.trimEnd().split('\n').length;
      if (Object.hasOwn(exceptions, file)) continue;
      if (lines > fileLines.split) problems.push(`${file}: ${lines} lines; split at ${fileLines.split}`);
      else if (lines > fileLines.look) notes.push(`${file}: ${lines} lines`);
      for (const { name, line, length } of functionsOf(file, text)) {
        if (length > functionLines) notes.push(`${file}:${line}: ${name} has ${length} lines`);
      }
    }
    return { problems, notes };
  },
};

interface FunctionSite {
  name: string;
  line: number;
  length: number;
}

function functionsOf(file: string, text: string): FunctionSite[] {
  const sites: FunctionSite[] = [];
  const add = (node: { start: number; end: number }, name: string | undefined) => {
    const line = lineOf(text, node.start);
    sites.push({ name: name ?? 'a function', line, length: lineOf(text, node.end) - line + 1 });
  };
  new Visitor({
    FunctionDeclaration: (node) => add(node, node.id?.name),
    FunctionExpression: (node) => add(node, node.id?.name),
    ArrowFunctionExpression: (node) => add(node, undefined),
  }).visit(parseSync(file, text).program);
  return sites;
}
