import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Comment, type Directive, parseSync, type Statement } from 'oxc-parser';
import { lineOf, sourcesBelow } from '../lib/source-files.ts';
import type { Check } from './check.ts';

interface WordingRule {
  pattern: RegExp;
  problem: string;
}

const wordingRules: readonly WordingRule[] = [
  {
    pattern: /(?:^|[.;:] )(?:The same|What|Who|Whoever|Nobody|Another|In (?:the )?place of)\b/,
    problem: 'a sentence begins without naming its subject',
  },
  {
    pattern: /\b(?:null|true|false|undefined|absent|empty|nothing|none) where\b/i,
    problem: '“where” means “if” or “when”',
  },
  {
    pattern: /\bso (?:many|long|much)\b(?! (?:that|as|\w+ that)\b)/i,
    problem: '“so many” or “so long” is no measure',
  },
  {
    pattern: /\bas (?:it|they) (?:came|comes?|stands?|(?:is|are|was|were)(?=$|[.,;:)]))/i,
    problem: '“as it is” does not name the state',
  },
  { pattern: /\b[Aa]nother one\b/, problem: '“another one” without its noun' },
];

/** Words that introduce a reason, or a condition that the code must keep. */
const reason =
  /\b(?:because|since|so that|therefore|otherwise|would|could|although|even (?:if|though|when)|unless|instead of|rather than|cannot|must|never|avoids?|prevents?|survives?|in case|need(?:s|ed)?|requires?|refuses?|only|else|faster|cheaper|slow|costs?)\b|, so\b|[a-z`)] ?: /i;

/** Failures, transactions and untrusted text, because callers depend on them. */
const duty = /\b(?:fail(?:s|ed|ing)?|throws|transaction|untrusted)\b/i;

const example = /`[^`]+`|“[^”]+”/;

/** For example `docs/policy.md`, `§4.3`, or a standard in parentheses. */
const link =
  /\{@link|https?:|\bRFC\b|\bdocs\/|§|\bcontract\b|\.(?:md|ts)\b|\((?:MCP|HTML|IANA|WHATWG|Fetch|Desktop Entry)\b/i;

export const commentsCheck: Check = {
  name: 'comments',
  remedy:
    'Delete a comment that repeats the name; else say why, name a failure, or show an example (docs/decisions/0068-comments-that-are-checked.md).',
  run(root) {
    const problems: string[] = [];
    for (const file of ['src', 'scripts', 'test'].flatMap((folder) => sourcesBelow(root, folder))) {
      const text = readFileSync(join(root, file), 'utf8');
      const { comments, program } = parseSync(file, text);
      for (const comment of comments) {
        const words = wordsOf(comment);
        const found = wordingProblems(words);
        if (!file.startsWith('test/') && isPrivateDocblock(comment, text, program.body) && !saysWhy(words))
          found.push('an unexported item is described, without a reason, a failure, an example or a link');
        problems.push(...found.map((problem) => `${file}:${lineOf(text, comment.start)}: ${problem}`));
      }
    }
    return { problems, notes: [] };
  },
};

function wordingProblems(words: string): string[] {
  return wordingRules.filter(({ pattern }) => pattern.test(words)).map(({ problem }) => problem);
}

function saysWhy(words: string): boolean {
  return [reason, duty, example, link].some((pattern) => pattern.test(words));
}

function wordsOf({ value }: Comment): string {
  return value
    .replace(/^\*/, '')
    .replace(/\n\s*\* ?/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** True for an unexported declaration and its members, for locals of a function, and for `#private` members. */
function isPrivateDocblock(
  { type, value, start, end }: Comment,
  text: string,
  body: readonly (Directive | Statement)[],
): boolean {
  if (type !== 'Block' || !value.startsWith('*')) return false;
  const statement = body.find((one) => one.end > start);
  if (statement === undefined) return false;
  const isInside = statement.start < start;
  if (!isInside && (statement.type === 'ImportDeclaration' || /^\s*\n\s*\n/.test(text.slice(end))))
    return false;
  if (!isExported(statement, body)) return true;
  const declared = 'declaration' in statement ? statement.declaration : null;
  if (!isInside || declared === null) return false;
  if (declared.type === 'FunctionDeclaration') return declared.body !== null && start > declared.body.start;
  if (declared.type !== 'ClassDeclaration') return false;
  const member = declared.body.body.find((one) => one.end > start);
  if (member === undefined) return false;
  return member.start < start || ('key' in member && member.key.type === 'PrivateIdentifier');
}

function isExported(statement: Directive | Statement, body: readonly (Directive | Statement)[]): boolean {
  if (statement.type.startsWith('Export')) return true;
  const names = namesOf(statement);
  return body.some(
    (one) =>
      (one.type === 'ExportNamedDeclaration' &&
        one.specifiers.some(({ local }) => 'name' in local && names.includes(local.name))) ||
      (one.type === 'ExportDefaultDeclaration' &&
        one.declaration.type === 'Identifier' &&
        names.includes(one.declaration.name)),
  );
}

function namesOf(statement: Directive | Statement): string[] {
  if (statement.type === 'VariableDeclaration')
    return statement.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []));
  return 'id' in statement && statement.id !== null && 'name' in statement.id ? [statement.id.name] : [];
}
