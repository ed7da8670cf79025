import { parseSync, Visitor } from 'oxc-parser';
import { lineOf } from './line-of.ts';

export interface FunctionSite {
  /** Its own name, or `a function` where it has none. */
  name: string;
  line: number;
  /** Lines from its first to its last. */
  length: number;
}

/** Every function of a TypeScript source, nested ones included. */
export function functionsOf(file: string, text: string): FunctionSite[] {
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
