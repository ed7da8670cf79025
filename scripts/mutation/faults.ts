import { parseSync, Visitor } from 'oxc-parser';
import { lineOf, sourcesBelow } from '../lib/source-files.ts';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Fault {
  file: string;
  line: number;
  kind: string;
  start: number;
  original: string;
  planted: string;
}

interface Place {
  start: number;
  end: number;
}

const pairs = ['=== !==', '< <=', '> >=', '&& ||', '* /'].map((pair) => pair.split(' '));
const flipped = new Map(pairs.flatMap(([a = '', b = '']) => [[a, b] as const, [b, a] as const])).set(
  '-',
  '+',
);

/** Names of constants that limit something. Intervals and delays must not match, because they are not limits. */
const limitName = /^(max|min|longest|largest|smallest|least|most|places)(?!\w*Ms$)/;
const checkName = /^(check|refuse|require|assert|ensure|verify)(?!Never)/;
const loggerName = /^(log|logger)$/;

export function faultsIn(file: string, text: string): Fault[] {
  const faults: Fault[] = [];
  const unseen: Place[] = [];
  const textOf = ({ start, end }: Place) => text.slice(start, end);
  const add = (kind: string, place: Place, planted: string) => {
    const { start } = place;
    faults.push({ file, line: lineOf(text, start), kind, start, original: textOf(place), planted });
  };
  const negate = ({ test }: { test: Place }) => add('negated condition', test, `!(${textOf(test)})`);
  const flip = (node: Place & { operator: string; left: Place; right: Place }) => {
    const { operator, left, right } = node;
    const other = flipped.get(operator);
    if (other === undefined) return;
    const between = text.slice(left.end, right.start).replace(operator, other);
    add(
      'flipped operator',
      node,
      text.slice(node.start, left.end) + between + text.slice(right.start, node.end),
    );
  };
  const double = (name: Place, value: Place | null) => {
    if (value === null || !limitName.test(textOf(name)) || !/^[1-9][\d_n *]*$/.test(textOf(value))) return;
    add('doubled limit', value, `${textOf(value).endsWith('n') ? '2n' : '2'} * (${textOf(value)})`);
  };

  new Visitor({
    IfStatement(node) {
      negate(node);
      for (const branch of [node.consequent, node.alternate]) {
        if (!branch || branch.type === 'IfStatement') continue;
        const last = branch.type === 'BlockStatement' ? branch.body.at(-1) : branch;
        if (last?.type === 'ThrowStatement') {
          if (!node.alternate) add('removed check', node, ';');
        } else if (last?.type === 'ReturnStatement' || last?.type === 'ContinueStatement') {
          if (!node.alternate) add('dropped return', node, ';');
        } else if (last !== undefined) {
          add('emptied branch', branch, '{}');
        }
      }
    },
    ConditionalExpression: negate,
    BinaryExpression: flip,
    LogicalExpression: flip,
    ReturnStatement({ argument }) {
      if (argument?.type !== 'Literal' || typeof argument.value !== 'boolean') return;
      add('flipped answer', argument, String(!argument.value));
    },
    ExpressionStatement(node) {
      const call = node.expression.type === 'AwaitExpression' ? node.expression.argument : node.expression;
      if (call.type === 'CallExpression' && checkName.test(textOf(call.callee)))
        add('removed check', node, ';');
    },
    VariableDeclarator: ({ id, init }) => double(id, init),
    Property: ({ key, value }) => double(key, value),
    ThrowStatement: ({ argument }) => void unseen.push(argument),
    CallExpression(node) {
      if (node.callee.type !== 'MemberExpression') return;
      if (loggerName.test(textOf(node.callee.object).split('.').at(-1) ?? '')) unseen.push(node);
    },
  }).visit(parseSync(file, text).program);

  return faults.filter(({ start, original }) => {
    // A statement ends with a semicolon after its call.
    const end = start + original.replace(/;$/, '').length;
    return !unseen.some((place) => place.start <= start && end <= place.end);
  });
}

export function plant(text: string, { start, original, planted }: Fault): string {
  if (text.slice(start, start + original.length) !== original) throw new Error('The file has changed');
  return text.slice(0, start) + planted + text.slice(start + original.length);
}

export const guardedFolders = [
  'src/main/core/proposals',
  'src/main/core/gateway',
  'src/main/core/agents',
  'src/main/core/ledger',
  'src/main/core/oauth-server',
  'src/main/core/backend',
  'src/shared/campaign',
];

export interface Choice {
  count: number;
  seed: number;
  folders: readonly string[];
}

/**
 * Chooses faults in `root`: equally many of each folder and, within a folder, of each kind. The choice for a seed depends only on
 * the text of a place, so that changing one file keeps the faults of the others.
 */
export function chooseFaults(root: string, { count, seed, folders }: Choice): Fault[] {
  const queues = folders.map((folder) => {
    const faults = sourcesBelow(root, folder).flatMap((file) =>
      faultsIn(file, readFileSync(join(root, file), 'utf8')),
    );
    return takeInTurn([...Map.groupBy(shuffled(faults, seed), ({ kind }) => kind).values()]);
  });
  return takeInTurn(queues).slice(0, count);
}

function shuffled(faults: readonly Fault[], seed: number): Fault[] {
  const seen = new Map<string, number>();
  const keyed = faults.map((fault) => {
    const place = [fault.file, fault.kind, fault.original].join('\n');
    const nth = (seen.get(place) ?? 0) + 1;
    seen.set(place, nth);
    return { fault, key: createHash('sha256').update(`${seed} ${nth} ${place}`).digest('hex') };
  });
  return keyed.toSorted((a, b) => (a.key < b.key ? -1 : 1)).map(({ fault }) => fault);
}

function takeInTurn<Item>(lists: readonly (readonly Item[])[]): Item[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
}
