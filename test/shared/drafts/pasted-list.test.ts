import { defaultFormats } from '#shared/lib/formats.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  skippedInWords,
  type PasteAnswers,
  type PastedList,
  questionInWords,
  readerOf,
  readPastedList,
  withAnswer,
} from '#shared/drafts/index.ts';
import { listKindOf } from '#shared/campaign/index.ts';
import type { JsonValue } from '#shared/lib/json/json-value.ts';
import { runs } from '#test/setup/property-runs.ts';

const number = (entry: string): number | null => (/^\d{1,15}$/u.test(entry) ? Number(entry) : null);

interface Pasted {
  list: string;
  text: string;
  there?: JsonValue;
  /** True for a list of numbers. */
  numbers?: boolean;
  answers?: PasteAnswers;
}

function pasted({ list, text, there = [], numbers = false, answers }: Pasted): PastedList {
  const { entries } = listKindOf(list);
  const spaces = numbers || entries === 'ids' || entries === 'codes';
  return readPastedList(text, there, { list, read: numbers ? number : readerOf(list), spaces }, answers);
}

/** Returns the added entries, or the questions if any is open; and the skipped entries, with `?` if they are doubtful. */
function outcome(into: Pasted): unknown {
  const { added, questions, skipped } = pasted(into);
  const left = skipped.map(({ entry, fault, isDoubtful }) => `${entry}: ${fault}${isDoubtful ? '?' : ''}`);
  const open = questions.filter(({ kind }) => into.answers?.[kind] === undefined).map(({ kind }) => kind);
  return [...(open.length > 0 ? open.map((kind) => `${kind}?`) : added), ...left];
}

const publishers = { list: 'publisher_blocklist', numbers: true };
const sites = { list: 'site_app_blocklist' };
const carriers = { list: 'carrier_allowlist' };
const keywords = { list: 'keywords_blocklist' };
const columns = 'Zone ID\tClicks\tCost\n1204331\t1,204\t$3.50\n1204332\t88\t$0.90';

describe('an ambiguous pasted text is asked about or refused, never guessed:', () => {
  test.each<[title: string, Pasted, expected: unknown[]]>([
    ['thousands marks', { ...publishers, text: '1,204,331\n1,204,332' }, ['parts?']],
    ['thousands marks as in India', { ...publishers, text: '12,04,331\n1,12,04,332' }, ['parts?']],
    [
      'thousands marks as in India, as one number',
      { ...publishers, text: '12,04,331\n1,12,04,332', answers: { parts: 'one' } },
      [1_204_331, 11_204_332],
    ],
    ['columns by spaces', { ...publishers, text: '1204331 1204\n1204332 88' }, ['column?']],
    [
      'entries with spaces, as many in each row, are no columns',
      { list: 'zone_blocklist', text: 'Opera Mini\nSamsung Internet' },
      ['parts?'],
    ],
    ['rows of different lengths by spaces', { ...publishers, text: '7 8\n9' }, [7, 8, 9]],
    [
      'thousands marks as one number',
      { ...publishers, text: '1,204,331\n1,204,332\n7', answers: { parts: 'one' } },
      [1_204_331, 1_204_332, 7],
    ],
    [
      'thousands marks as entries',
      { ...publishers, text: '1,204,331\n1,204,332', answers: { parts: 'several' } },
      [1, 204, 331, 332],
    ],
    ['marks of texts', { ...sites, text: '1,204,331', answers: { parts: 'one' } }, ['1204331']],
    [
      'numbers with marks in one line',
      { ...publishers, text: '1,204,331, 1,204,332', answers: { parts: 'one' } },
      [1_204_331, 1_204_332],
    ],
    ['narrow spaces as marks', { ...publishers, text: '1\u202F204\u202F331' }, ['parts?']],
    ['spaces as marks', { ...publishers, text: '1 204 331', answers: { parts: 'one' } }, [1_204_331]],
    [
      'a quoted number with marks',
      { ...publishers, text: '"1,204,331"', answers: { parts: 'one' } },
      [1_204_331],
    ],
    [
      'commas that are no marks',
      { ...publishers, text: '5,12,100\n70001,70002' },
      [5, 12, 100, 70_001, 70_002],
    ],
    [
      'more groups than a number has',
      { ...publishers, text: '101,102,103,104,105,106' },
      [101, 102, 103, 104, 105, 106],
    ],
    ['columns of a spreadsheet', { ...publishers, text: columns }, ['column?']],
    [
      'one of the columns',
      { ...publishers, text: columns, answers: { column: 0 } },
      [1_204_331, 1_204_332, 'Zone: not_understood', 'ID: not_understood'],
    ],
    ['a column with marks', { ...publishers, text: columns, answers: { column: 1 } }, ['parts?']],
    [
      'all of the columns',
      { ...carriers, text: 'a\tb\tc\n\td', answers: { column: 'all' } },
      ['a', 'b', 'c', 'd'],
    ],
    ['one row of a spreadsheet', { ...publishers, text: '1204331\t88' }, ['column?']],
    ['a column and empty ones', { ...publishers, text: '1204331\t\n1204332\t' }, [1_204_331, 1_204_332]],
    ['columns with semicolons', { ...sites, text: 'a.example;3\nb.example;4' }, ['column?']],
    [
      'columns with commas',
      { ...sites, text: 'a.example,3\nb.example,4', answers: { column: 0 } },
      ['a.example', 'b.example'],
    ],
    ['lines of different lengths are no columns', { ...sites, text: 'a;b\nc' }, ['a', 'b', 'c']],
    [
      'an error value',
      { ...sites, text: '#N/A\n#REF!\n#BEZUG!\n#NV\nErr:502\n####\n#DIV/0!\na' },
      [
        'a',
        ...['#N/A', '#REF!', '#BEZUG!', '#NV', 'Err:502', '####', '#DIV/0!'].map(
          (entry) => `${entry}: error`,
        ),
      ],
    ],
    ['a hashtag', { ...keywords, text: '#sale' }, ['#sale']],
    ['a placeholder', { ...sites, text: '(blank)\na', answers: {} }, ['a', '(blank): placeholder?']],
    [
      'a rounded number',
      { ...sites, text: '1.23457E+17\n1,2E+11' },
      ['1.23457E+17: rounded', '1,2E+11: rounded'],
    ],
    [
      'zeros after 15 digits',
      { ...sites, text: '123456789012345000\n123456789012345' },
      ['123456789012345', '123456789012345000: zeros?'],
    ],
    [
      'a doubtful entry that a person takes',
      { ...sites, text: '123456789012345000\n#N/A', answers: { acceptsDoubtful: true } },
      ['123456789012345000', '#N/A: error'],
    ],
    ['an id with decimals', { ...sites, text: '1204331.0' }, ['1204331.0: decimal']],
    ['an OS version', { list: 'os_versions', text: '10.0' }, ['10.0']],
    ['a title among the lines', { ...sites, text: 'a.example\nSite ID' }, ['parts?']],
    [
      'codes behind commas with spaces',
      { ...sites, text: 'a.example, b.example; c.example\nd.example' },
      ['a.example', 'b.example', 'c.example', 'd.example'],
    ],
    [
      'a title as one entry',
      { ...sites, text: 'a.example\nSite ID', answers: { parts: 'one' } },
      ['a.example', 'Site ID: title?'],
    ],
    [
      'a title of one word',
      { list: 'bundle_blocklist', text: 'bundle_id\ncom.foo' },
      ['com.foo', 'bundle_id: title?'],
    ],
    [
      'a title of names',
      { ...carriers, text: 'Carrier name\nVodafone' },
      ['Vodafone', 'Carrier name: title?'],
    ],
    [
      'bundles that differ in case',
      { list: 'bundle_blocklist', text: 'com.foo.Bar\ncom.foo.bar' },
      ['com.foo.Bar', 'com.foo.bar'],
    ],
    [
      'domains that differ in case',
      { list: 'domain_blocklist', text: 'A.example\na.example' },
      ['A.example'],
    ],
    [
      'invisible marks at the ends',
      { list: 'bundle_blocklist', text: 'com.foo.bar\u200B\n\u202Acom.baz\u202C\n\u00A0com.x\uFEFF' },
      ['com.foo.bar', 'com.baz', 'com.x'],
    ],
    [
      'an invisible mark inside',
      { list: 'bundle_blocklist', text: 'com.\u200Bfoo' },
      ['com.\u200Bfoo: invisible'],
    ],
    ['a joiner of a name', { ...keywords, text: 'می\u200Cخواهم' }, ['می\u200Cخواهم']],
    ['a direction mark in a name', { ...keywords, text: 'free\u202Emoney' }, ['free\u202Emoney: invisible']],
    ['a lost letter', { ...keywords, text: 'caf\uFFFD' }, ['caf\uFFFD: lost']],
    [
      'quoted names with a comma',
      { ...carriers, text: '"Verizon Wireless, Inc."\nAT&T Mobility' },
      ['Verizon Wireless, Inc.', 'AT&T Mobility'],
    ],
    [
      'a quotation mark inside of quotation marks',
      { ...carriers, text: '"The ""best"", Inc."' },
      ['The "best", Inc.'],
    ],
    ['names with a comma', { ...carriers, text: 'Verizon Wireless, Inc.\nAT&T Mobility' }, ['parts?']],
    [
      'names with a comma as one entry',
      { ...carriers, text: 'Verizon Wireless, Inc.\nAT&T Mobility', answers: { parts: 'one' } },
      ['Verizon Wireless, Inc.', 'AT&T Mobility'],
    ],
    [
      'an entry with the separator of a text',
      { ...keywords, there: 'a, b', text: '"buy, now"\nfree' },
      ['free', 'buy, now: separator'],
    ],
    [
      'an entry with a comma in a text of lines',
      { ...keywords, there: 'a\nb', text: '"buy, now"' },
      ['buy, now'],
    ],
    [
      'a country that does not exist',
      { list: 'geo', text: 'DE\nNowhere' },
      ['DE', 'Nowhere: not_understood'],
    ],
    [
      'a quotation mark that is not closed',
      { ...keywords, text: '27" monitor\n"free' },
      ['27" monitor', '"free'],
    ],
  ])('%s', (_title, into, expected) => expect(outcome(into)).toEqual(expected));

  test('cleaned, existing and repeated entries are counted', () => {
    expect(pasted({ ...publishers, there: [7], text: '12 7 7\u200B x 12 -4 99' })).toMatchObject({
      added: [12, 99],
      alreadyThere: [7],
      repeated: 2,
      cleaned: 1,
      skipped: [
        { entry: 'x', fault: 'not_understood' },
        { entry: '-4', fault: 'not_understood' },
      ],
    });
    expect(pasted({ ...keywords, text: 'Casino\nBet\nbet', there: 'casino\nloan' })).toMatchObject({
      added: ['Bet'],
      alreadyThere: ['Casino'],
      repeated: 1,
    });
  });
});

describe('a pasted list may be separated by', () => {
  test.each([
    ['lines', 'a\nb\r\nc'],
    ['semicolons and commas', 'a; b,c'],
    ['quotation marks', '"a", “b”\n\'c\''],
    ['a quoted cell with lines', '"a\nb"\nc'],
    ['line ends of a word processor', 'a\u000Bb\u2028c'],
    ['empty entries', '\n\na,,b;;c,\n'],
  ])('%s', (_title, text) =>
    expect(pasted({ ...keywords, text, answers: { parts: 'several' } }).added).toEqual(['a', 'b', 'c']),
  );

  test('a cell of an exported file is read as a list, with backslash escapes', () => {
    expect(pasted({ ...sites, text: String.raw`a.example|b\|c|d\\e` }).added).toEqual([
      'a.example',
      'b|c',
      String.raw`d\e`,
    ]);
    expect(pasted({ list: 'exchanges', text: '12|13|12' })).toMatchObject({ added: [12, 13], repeated: 1 });
  });

  test('spaces stay inside entries unless the list has no other separator', () => {
    expect(pasted({ ...carriers, text: 'new york, los angeles' }).added).toEqual(['new york', 'los angeles']);
  });

  test('nothing is added that the text does not contain, and nothing while a question is open', () => {
    const piece = fc.constantFrom(
      '1',
      '204',
      '331',
      'a',
      'Inc.',
      ',',
      ';',
      '\t',
      '\n',
      ' ',
      '"',
      '|',
      '\u200B',
      '#N/A',
    );
    const lists = fc.constantFrom(
      'publisher_blocklist',
      'site_app_blocklist',
      'carrier_allowlist',
      'keywords_blocklist',
    );
    fc.assert(
      fc.property(lists, fc.array(piece, { maxLength: 20 }), (list, pieces) => {
        const text = pieces.join('');
        const { added, questions } = pasted({ list, text });
        if (questions.length > 0) expect(added).toEqual([]);
        const letters = text.replaceAll(/[^\p{L}\p{N}]/gu, '');
        for (const member of added)
          expect(letters).toContain(String(member).replaceAll(/[^\p{L}\p{N}]/gu, ''));
      }),
      runs(500),
    );
  });
});

test('a question shows its answers with the start of each column, and pasted text is harmless', () => {
  const text = 'Zone\t\u202Eevil\n1\t2';
  const { questions } = pasted({ ...sites, text });
  const [question] = questions;
  if (question === undefined) throw new Error('There is no question');
  expect(questionInWords(question, {}, defaultFormats)).toEqual({
    label: 'The text has 2 columns. Which one has the entries?',
    options: [
      { id: '0', label: 'Column 1: “Zone, 1”' },
      { id: '1', label: 'Column 2: “⟨U+202E⟩evil, 2”' },
      { id: 'all', label: 'All columns' },
    ],
    value: '',
  });
  expect(withAnswer({ parts: 'one' }, question, '1')).toEqual({ column: 1 });
  expect(
    questionInWords({ kind: 'parts', example: '1,204' }, { parts: 'one' }, defaultFormats),
  ).toMatchObject({
    label: '“1,204”: one entry or several?',
    value: 'one',
  });
});

test('skipped entries are grouped by reason, with the next step for those not understood', () => {
  const { skipped } = pasted({ list: 'geo', text: '#N/A\nNowhere\nElsewhere' });
  expect(skippedInWords(skipped, 'Use ISO codes.')).toEqual([
    { reason: 'An error value of a spreadsheet', entries: ['#N/A'] },
    { reason: 'Not understood. Use ISO codes.', entries: ['Nowhere', 'Elsewhere'] },
  ]);
});
