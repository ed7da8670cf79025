import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lexer, type Token, type Tokens } from 'marked';
import { type GuideBlock, type GuideChapter, type GuideInline, headingId } from '#shared/guide/index.ts';
import type { Plugin } from 'vite';
import { projectRoot } from '../run-tool.ts';

const guideFolder = 'docs/guide';

/** Reads the chapters of the guide. Fails with the file's name for anything but plain text with links into the app. */
export function readGuide(root: string): GuideChapter[] {
  return readdirSync(join(root, guideFolder))
    .filter((name) => name.endsWith('.md'))
    .toSorted()
    .map((name) => parseChapter(name, readFileSync(join(root, guideFolder, name), 'utf8')));
}

export function parseChapter(name: string, text: string): GuideChapter {
  const [, id] = /^\d\d-([a-z-]+)\.md$/u.exec(name) ?? [];
  if (id === undefined) throw new Error(`${name}: name it like 01-first-change.md`);
  try {
    return chapterOf(id, lexer(text));
  } catch (failure) {
    throw new Error(`${name}: ${failure instanceof Error ? failure.message : String(failure)}`, {
      cause: failure,
    });
  }
}

function chapterOf(id: string, [first, ...rest]: Token[]): GuideChapter {
  if (first?.type !== 'heading' || first['depth'] !== 1) throw new Error('begin with one # heading');
  const chapter: GuideChapter = { id, title: plain(first), blocks: [], sections: [] };
  for (const token of rest) {
    if (token.type === 'space') continue;
    if (token.type === 'heading') {
      if (token['depth'] !== 2) throw new Error(`“${token.raw.trim()}”: only ## headings follow the first`);
      const title = plain(token);
      const section = { id: headingId(title), title, blocks: [] };
      if (chapter.sections.some((one) => one.id === section.id)) throw new Error(`“${title}” occurs twice`);
      chapter.sections.push(section);
      continue;
    }
    (chapter.sections.at(-1) ?? chapter).blocks.push(blockOf(token, id));
  }
  return chapter;
}

function blockOf(token: Token, chapterId: string): GuideBlock {
  const line = (tokens: Token[] | undefined): GuideInline[] => lineOf(tokens ?? [], chapterId);
  switch (token.type) {
    case 'paragraph':
      return { kind: 'paragraph', line: line(token['tokens']) };
    case 'blockquote': {
      const [only, ...others] = (token as Tokens.Blockquote).tokens;
      if (only?.type !== 'paragraph' || others.length > 0) throw new Error('a note is one paragraph');
      return { kind: 'note', line: line(only['tokens']) };
    }
    case 'list': {
      const { ordered, items } = token as Tokens.List;
      return { kind: 'list', ordered, items: items.map((item) => line(onlyText(item))) };
    }
    case 'table': {
      const { header, rows } = token as Tokens.Table;
      return {
        kind: 'table',
        head: header.map((cell) => line(cell.tokens)),
        rows: rows.map((row) => row.map((cell) => line(cell.tokens))),
      };
    }
    case 'code':
      return { kind: 'code', text: (token as Tokens.Code).text };
    default:
      throw new Error(`no ${token.type} here: “${token.raw.trim().slice(0, 60)}”`);
  }
}

function onlyText({ tokens, task }: Tokens.ListItem): Token[] {
  const [only, ...others] = tokens;
  if (task || others.length > 0 || (only?.type !== 'text' && only?.type !== 'paragraph'))
    throw new Error('an entry of a list is one line, and a list contains no other');
  return (only as Tokens.Text).tokens ?? [];
}

function lineOf(tokens: readonly Token[], chapterId: string): GuideInline[] {
  return tokens.map((token): GuideInline => {
    switch (token.type) {
      case 'text':
      case 'escape':
        return { kind: 'text', text: unescaped((token as Tokens.Text).text).replaceAll('\n', ' ') };
      case 'strong':
        return { kind: 'label', text: plain(token) };
      case 'em':
        return { kind: 'emphasis', text: plain(token) };
      case 'codespan':
        return { kind: 'code', text: unescaped((token as Tokens.Codespan).text) };
      case 'link':
        return { kind: 'link', href: hrefOf((token as Tokens.Link).href, chapterId), text: plain(token) };
      default:
        throw new Error(`no ${token.type} in a line: “${token.raw.slice(0, 60)}”`);
    }
  });
}

/** Links must lead to a chapter (`03-agents.md`, `03-agents.md#heading`), a heading of this chapter, or an app page (`#/agents`). */
function hrefOf(href: string, chapterId: string): string {
  if (href.startsWith('#/')) return href;
  const [, chapter, heading] = /^(?:\d\d-([a-z-]+)\.md)?(?:#([a-z0-9-]+))?$/u.exec(href) ?? [];
  if (chapter === undefined && heading === undefined) throw new Error(`“${href}” leads out of the app`);
  return `#/guide/${chapter ?? chapterId}${heading === undefined ? '' : `/${heading}`}`;
}

function plain(token: Token): string {
  const inside = (token as Tokens.Strong).tokens ?? [];
  if (inside.some(({ type }) => type !== 'text' && type !== 'escape'))
    throw new Error(`only text belongs into “${token.raw.slice(0, 60)}”`);
  return inside
    .map((one) => unescaped((one as Tokens.Text).text))
    .join('')
    .replaceAll('\n', ' ');
}

/** Decodes the entities that the lexer writes. The guide must contain no others. */
function unescaped(text: string): string {
  const entity = /&(?!(?:lt|gt|amp|quot|#39);)[a-z#0-9]+;/iu.exec(text);
  if (entity !== null) throw new Error(`write the sign itself instead of ${entity[0]}`);
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

const name = 'virtual:guide';
const resolved = `\0${name}`;

export const guidePlugin: Plugin = {
  name: 'guide',
  resolveId: (id) => (id === name ? resolved : null),
  load(id) {
    if (id !== resolved) return null;
    for (const file of readdirSync(join(projectRoot, guideFolder)))
      this.addWatchFile(join(projectRoot, guideFolder, file));
    return `export const chapters = ${JSON.stringify(readGuide(projectRoot))};`;
  },
};
