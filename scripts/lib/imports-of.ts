import { parseSync, Visitor } from 'oxc-parser';
import { lineOf } from './source-files.ts';

export interface ImportSite {
  /** The specifier in the source; null if it is computed and cannot be checked. */
  specifier: string | null;
  line: number;
  passesAllOn: boolean;
}

/** Finds every module that a source imports or re-exports, also by `import()`, `import('…')` types in TypeScript, and `require()`. */
export function importsOf(file: string, text: string): ImportSite[] {
  const parsed = parseSync(file, text);
  const { module } = parsed;
  const sites: ImportSite[] = [];
  const add = (specifier: string | null, offset: number, passesAllOn = false) => {
    sites.push({ specifier, line: lineOf(text, offset), passesAllOn });
  };
  for (const { moduleRequest } of module.staticImports) add(moduleRequest.value, moduleRequest.start);
  for (const { entries } of module.staticExports) {
    for (const { moduleRequest, importName } of entries) {
      if (moduleRequest) add(moduleRequest.value, moduleRequest.start, importName.kind.startsWith('All'));
    }
  }
  for (const { moduleRequest } of module.dynamicImports) {
    add(literalIn(text.slice(moduleRequest.start, moduleRequest.end)), moduleRequest.start);
  }
  // Transferring the syntax tree of a bundle takes a second; only TypeScript needs it, for import types.
  if (/\.[cm]?tsx?$/u.test(file)) {
    new Visitor({
      TSImportType: (node) => add(node.source.value, node.start),
    }).visit(parsed.program);
  }
  if (file.endsWith('.cjs')) {
    new Visitor({
      CallExpression({ callee, arguments: [named], start }) {
        if (callee.type !== 'Identifier' || callee.name !== 'require') return;
        add(named?.type === 'Literal' && typeof named.value === 'string' ? named.value : null, start);
      },
    }).visit(parsed.program);
  }
  return sites;
}

function literalIn(expression: string): string | null {
  return /^(['"`])([^'"`$\\]*)\1$/.exec(expression.trim())?.[2] ?? null;
}
