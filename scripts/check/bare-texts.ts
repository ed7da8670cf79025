import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Expression, type JSXChild, type JSXExpression, parseSync, Visitor } from 'oxc-parser';
import { lineOf, sourcesBelow } from '../lib/source-files.ts';
import type { Check } from './check.ts';

/**
 * A browser that translates a page replaces its text nodes. React then fails when it removes such a text or inserts an element
 * before it. A text that is the only child of its element is safe.
 */
export const bareTextsCheck: Check = {
  name: 'bare texts',
  remedy: 'Give the text an element of its own, for example a span.',
  run(root) {
    const problems: string[] = [];
    for (const file of sourcesBelow(root, 'src/renderer')) {
      if (!file.endsWith('.tsx')) continue;
      const text = readFileSync(join(root, file), 'utf8');
      const report = (children: JSXChild[], isFragment: boolean): void => {
        for (const { at, problem } of faultsIn(children, isFragment))
          problems.push(`${file}:${lineOf(text, at)}: ${problem}`);
      };
      new Visitor({
        JSXElement: ({ children }) => report(children, false),
        JSXFragment: ({ children }) => report(children, true),
      }).visit(parseSync(file, text, { preserveParens: false }).program);
    }
    return { problems, notes: [] };
  },
};

function faultsIn(children: JSXChild[], isFragment: boolean): { at: number; problem: string }[] {
  const drawn = children.filter(isDrawn);
  return drawn.flatMap((child, index) => {
    const before = drawn[index - 1];
    const at = child.start;
    if (isText(child)) {
      if (isFragment) return [{ at, problem: 'a text of a fragment' }];
      if (before !== undefined && comesAndGoes(before))
        return [{ at, problem: 'a text after an element that comes and goes' }];
    }
    if ((isFragment || drawn.length > 1) && comesAndGoes(child) && hasTextBranch(child))
      return [{ at, problem: 'a text that comes and goes' }];
    return [];
  });
}

type Content = JSXChild | Expression | JSXExpression;

const isEmpty = (content: Content): boolean =>
  (content.type === 'Literal' && [null, false, ''].includes(content.value as null)) ||
  (content.type === 'Identifier' && content.name === 'undefined');

/** Skips blanks between elements, because they are not rendered and translators do not change them. */
function isDrawn(child: JSXChild): boolean {
  if (child.type === 'JSXText') return child.value.trim() !== '';
  if (child.type !== 'JSXExpressionContainer') return true;
  const { expression } = child;
  if (expression.type === 'Literal' && typeof expression.value === 'string')
    return expression.value.trim() !== '';
  return expression.type !== 'JSXEmptyExpression';
}

function isText(content: Content): boolean {
  switch (content.type) {
    case 'JSXExpressionContainer':
      return isText(content.expression);
    case 'ConditionalExpression':
      return isText(content.consequent) && isText(content.alternate);
    case 'JSXText':
    case 'TemplateLiteral':
      return true;
    case 'Literal':
      return !isEmpty(content);
    default:
      return false;
  }
}

function comesAndGoes(content: Content): boolean {
  switch (content.type) {
    case 'JSXExpressionContainer':
      return comesAndGoes(content.expression);
    case 'LogicalExpression':
      return content.operator === '&&';
    case 'ConditionalExpression':
      return [content.consequent, content.alternate].some(
        (branch) =>
          isEmpty(branch) ||
          branch.type === 'JSXElement' ||
          branch.type === 'JSXFragment' ||
          comesAndGoes(branch),
      );
    case 'CallExpression':
      return (
        content.callee.type === 'MemberExpression' &&
        content.callee.property.type === 'Identifier' &&
        ['map', 'flatMap'].includes(content.callee.property.name)
      );
    default:
      return false;
  }
}

function hasTextBranch(content: Content): boolean {
  switch (content.type) {
    case 'JSXExpressionContainer':
      return hasTextBranch(content.expression);
    case 'LogicalExpression':
      return hasTextBranch(content.right);
    case 'ConditionalExpression':
      return [content.consequent, content.alternate].some(hasTextBranch);
    default:
      return isText(content);
  }
}
