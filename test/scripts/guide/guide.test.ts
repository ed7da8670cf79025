import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseRoute, routeHref } from '#renderer/stores/ui/route.ts';
import { type GuideBlock, type GuideInline, placeExists } from '#shared/guide/index.ts';
import { parseChapter, readGuide } from '../../../scripts/lib/guide/read-guide.ts';
import { projectRoot } from '../../../scripts/lib/run-tool.ts';
import { sourcesBelow } from '../../../scripts/lib/source-files.ts';

const chapters = readGuide(projectRoot);

const linesOf = (block: GuideBlock): GuideInline[][] => {
  if (block.kind === 'list') return block.items;
  if (block.kind === 'table') return [...block.head, ...block.rows.flat()];
  return block.kind === 'code' ? [] : [block.line];
};

const pieces = chapters.flatMap(({ id, blocks, sections }) =>
  [...blocks, ...sections.flatMap((section) => section.blocks)]
    .flatMap(linesOf)
    .flat()
    .map((piece) => ({ ...piece, chapter: id })),
);

/** The sources of the interface: pages, menus, and the shared words that both use. */
const sources = ['src/renderer', 'src/main/electron/shell', 'src/shared/contract', 'src/shared/wording']
  .flatMap((folder) => sourcesBelow(projectRoot, folder))
  .map((file) => ({ file, text: readFileSync(join(projectRoot, file), 'utf8') }));

const interfaceText = sources.map(({ text }) => text.replaceAll(/\s+/gu, ' ')).join('\n');

/** Returns true if the text is a complete label in the interface: a string, or the text of an element. */
function isLabel(text: string): boolean {
  const escaped = text.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`);
  return new RegExp(`['"\`>}] ?${escaped} ?['"\`<{]`, 'u').test(interfaceText);
}

describe('the guide', () => {
  test('covers everything that a new user needs', () => {
    expect(chapters.map(({ id }) => id)).toEqual([
      'first-change',
      'campaigns',
      'agents',
      'guardrails',
      'emergency-stop',
      'live-services',
      'reports',
      'drafts',
      'training',
      'unknown-outcomes',
      'ledger',
      'backup',
      'updates',
      'privacy',
    ]);
    for (const chapter of chapters) expect(chapter.blocks.length, chapter.id).toBeGreaterThan(0);
  });

  test('quotes labels as the interface shows them', () => {
    const labels = pieces.filter(({ kind }) => kind === 'label');
    expect(labels.length).toBeGreaterThan(50);
    expect(isLabel('Review chang')).toBe(false);
    const unknown = labels.filter(({ text }) => !isLabel(text));
    expect(unknown.map(({ chapter, text }) => `${chapter}: ${text}`)).toEqual([]);
  });

  test('links only to its own headings and to pages of the app', () => {
    const links = pieces.flatMap((piece) => (piece.kind === 'link' ? [piece.href] : []));
    expect(links.length).toBeGreaterThan(20);
    for (const href of links) {
      const route = parseRoute(href);
      expect(routeHref(route), href).toBe(href);
      if (route.page === 'guide') expect(placeExists(chapters, route.place ?? ''), href).toBe(true);
    }
  });

  test('has every heading that the app links to', () => {
    const places = sources.flatMap(({ text }) =>
      [...text.matchAll(/page: 'guide', place: '([^']*)'/gu)].map(([, place = '']) => place),
    );
    expect(places.length).toBeGreaterThan(8);
    expect(places.filter((place) => !placeExists(chapters, place))).toEqual([]);
  });
});

describe('a chapter', () => {
  test('becomes plain data', () => {
    const chapter = parseChapter(
      '07-reports.md',
      '# Reports\n\nPress **Export**, see [Agents](03-agents.md#connect), `a < b`.\n\n## One\n\n> A note.\n\n- x & y\n',
    );
    expect(chapter).toEqual({
      id: 'reports',
      title: 'Reports',
      blocks: [
        {
          kind: 'paragraph',
          line: [
            { kind: 'text', text: 'Press ' },
            { kind: 'label', text: 'Export' },
            { kind: 'text', text: ', see ' },
            { kind: 'link', href: '#/guide/agents/connect', text: 'Agents' },
            { kind: 'text', text: ', ' },
            { kind: 'code', text: 'a < b' },
            { kind: 'text', text: '.' },
          ],
        },
      ],
      sections: [
        {
          id: 'one',
          title: 'One',
          blocks: [
            { kind: 'note', line: [{ kind: 'text', text: 'A note.' }] },
            { kind: 'list', ordered: false, items: [[{ kind: 'text', text: 'x & y' }]] },
          ],
        },
      ],
    });
  });

  test.each([
    ['a script', '# A\n\n<script>alert(1)</script>', 'no html here'],
    ['markup in a line', '# A\n\nx <b>y</b>', 'no html in a line'],
    ['a picture of another computer', '# A\n\n![x](https://example.com/x.png)', 'no image in a line'],
    ['a link out of the app', '# A\n\n[x](https://example.com)', 'leads out of the app'],
    ['a bare address', '# A\n\nhttps://example.com', 'leads out of the app'],
    ['a script as a link', '# A\n\n[x](javascript:alert)', 'leads out of the app'],
    ['two headings of one name', '# A\n\n## B\n\nx\n\n## B', 'occurs twice'],
    ['a deeper heading', '# A\n\n### B', 'only ## headings'],
    ['no title', 'Text', 'begin with one # heading'],
    ['a list in a list', '# A\n\n- x\n  - y', 'a list contains no other'],
    ['an entity', '# A\n\nx &nbsp; y', 'write the sign itself'],
  ])('with %s is refused, naming the file', (_, text, reason) => {
    expect(() => parseChapter('01-a.md', text)).toThrow(`01-a.md: `);
    expect(() => parseChapter('01-a.md', text)).toThrow(reason);
  });
});
