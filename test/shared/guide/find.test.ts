import { describe, expect, test } from 'vitest';
import { findInGuide, type GuideChapter, headingId, placeExists } from '#shared/guide/index.ts';

const chapters: GuideChapter[] = [
  {
    id: 'agents',
    title: 'Agents',
    blocks: [{ kind: 'paragraph', line: [{ kind: 'text', text: 'A program that proposes changes.' }] }],
    sections: [
      {
        id: 'connect',
        title: 'Connect an agent',
        blocks: [{ kind: 'list', ordered: true, items: [[{ kind: 'label', text: 'Client' }]] }],
      },
    ],
  },
  {
    id: 'limits',
    title: 'Guardrails',
    blocks: [
      {
        kind: 'table',
        head: [[{ kind: 'text', text: 'Limit' }]],
        rows: [[[{ kind: 'text', text: 'Quiet hours of agents' }]]],
      },
    ],
    sections: [],
  },
];

const found = (search: string): string[] => findInGuide(chapters, search, 5).map(({ place }) => place);

describe('a search of the guide', () => {
  test('finds headings first, then text, by the beginnings of words in any order', () => {
    expect(found('agent')).toEqual(['agents', 'agents/connect', 'limits']);
    expect(found('AGENT con')).toEqual(['agents/connect']);
    expect(found('hours quiet')).toEqual(['limits']);
    expect(found('client')).toEqual(['agents/connect']);
  });

  test('finds nothing for an empty search, other words, or the middle of a word', () => {
    expect(found('  – ')).toEqual([]);
    expect(found('spreadsheet')).toEqual([]);
    expect(found('gents')).toEqual([]);
  });

  test('returns the requested number of places, with chapters before sections', () => {
    expect(findInGuide(chapters, 'agent', 2)).toEqual([
      { place: 'agents', title: 'Agents' },
      { place: 'agents/connect', title: 'Agents › Connect an agent' },
    ]);
  });
});

test.each([
  ['What a campaign has spent', 'what-a-campaign-has-spent'],
  ['If something does not work', 'if-something-does-not-work'],
  ['An agent’s access (ended)', 'an-agents-access-ended'],
])('gives the heading “%s” the id %s', (title, id) => {
  expect(headingId(title)).toBe(id);
});

test('a place in the guide is a chapter or one of its sections', () => {
  expect(placeExists(chapters, 'agents')).toBe(true);
  expect(placeExists(chapters, 'agents/connect')).toBe(true);
  expect(placeExists(chapters, 'agents/other')).toBe(false);
  expect(placeExists(chapters, 'other')).toBe(false);
});
