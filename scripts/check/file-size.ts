import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sourcesBelow } from '../lib/source-files.ts';
import type { Check } from './check.ts';
import { parseSync, Visitor } from 'oxc-parser';
import { lineOf } from '../lib/line-of.ts';

/** Lines from which a file gets a second look, and from which it is split. */
const fileLines = { look: 300, split: 400 };

/** Longer files, each with its reason. */
const exceptions: Readonly<Record<string, string>> = {
  'src/main/core/platform/names/confusables.ts': 'A table of the Unicode standard, written by a script.',
};

/** Lines from which a function gets a second look. */
const functionLines = 80;

/** Files and functions that have grown out of one idea. Tests are left out: a table may be long. */
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
  /** Its own name, or `a function` where it has none. */
  name: string;
  line: number;
  /** Lines from its first to its last. */
  length: number;
}

/** Every function of a TypeScript source, nested ones included. */
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
