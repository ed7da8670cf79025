import { describe, expect, it } from 'vitest';
import { type ReportLimits, reportLimits } from '#core/reports/parse/field-rules.ts';
import type { ReportShape } from '#core/reports/worker/messages.ts';
import { ReportParser } from '#core/reports/parse/report-parser.ts';
import type { AppError } from '#shared/errors/index.ts';

const search: ReportShape = { kind: 'search' };
const xml: ReportShape = { kind: 'xml', groupBy: 'day' };

const rows = (...texts: string[]) => `{"status":"success","message":"m","data":[${texts.join(',')}]}`;

interface Bad {
  what: string;
  body: string | Uint8Array;
  message: string;
  shape?: ReportShape;
  code?: string;
}

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));

const cut: Bad[] = [
  { what: 'nothing', body: '', message: 'The report ends before it is complete.' },
  { what: 'white space alone', body: ' \n', message: 'The report ends before it is complete.' },
  {
    what: 'an answer cut in a row',
    body: '{"status":"success","message":"m","data":[{"a":1},{"a"',
    message: 'The report ends before it is complete, after row 1.',
  },
  {
    what: 'an answer cut in a number',
    body: '{"status":"success","message":"m","data":[{"a":1',
    message: 'The report ends before it is complete.',
  },
  { what: 'an answer cut before its last brace', body: rows('{}').slice(0, -1), message: 'after row 1.' },
];

const envelope: Bad[] = [
  { what: 'a list', body: '[]', message: 'The answer of the service: “{” is missing.' },
  { what: 'a web page', body: '<!doctype html>', message: '“{” is missing' },
  { what: 'two byte order marks', body: `\uFEFF\uFEFF${rows()}`, message: '“{” is missing' },
  { what: 'a number as the whole answer', body: '1', message: '“{” is missing' },
  { what: 'text after the end', body: `${rows()}x`, message: 'there is more after its end.' },
  { what: 'a second document', body: `${rows()}{}`, message: 'there is more after its end.' },
  {
    what: 'another status',
    body: '{"status":"error","message":"m","data":[]}',
    message: 'Member “status”: it is not “success”.',
  },
  {
    what: 'a status that is no text',
    body: '{"status":true,"message":"m","data":[]}',
    message: 'Member “status”: it is no text.',
  },
  { what: 'no status', body: '{"message":"m","data":[]}', message: 'has no “status”.' },
  { what: 'no data', body: '{"status":"success","message":"m"}', message: 'has no “data”.' },
  { what: 'no message', body: '{"status":"success","data":[]}', message: 'has no “message”.' },
  {
    what: 'data that is an object',
    body: '{"status":"success","message":"m","data":{}}',
    message: 'Member “data”: it is no list.',
  },
  {
    what: 'data that is null',
    body: '{"status":"success","message":"m","data":null}',
    message: 'Member “data”: it is no list.',
  },
  {
    what: 'data twice',
    body: '{"status":"success","message":"m","data":[],"data":[]}',
    message: 'Member “data”: it is there twice.',
  },
  {
    what: 'a status twice, once with an escape',
    body: '{"status":"success","st\\u0061tus":"success","message":"m","data":[]}',
    message: 'Member “status”: it is there twice.',
  },
  {
    what: 'a member without a colon',
    body: '{"status" "success"}',
    message: 'Member “status”: “:” is missing.',
  },
  {
    what: 'a comma before the brace',
    body: '{"status":"success",}',
    message: 'the name of a member is missing.',
  },
  { what: 'a member that is no JSON', body: '{"more":nul}', message: 'Member “more”: a value is no JSON.' },
  {
    what: 'an object with a member twice',
    body: '{"more":{"a":[{"b":1,"b":2}]}}',
    message: 'Member “more”: an object inside it has a member twice.',
  },
  {
    what: 'a member of 65 levels',
    body: `{"more":${'['.repeat(64)}1${']'.repeat(64)}}`,
    message: 'Member “more”: it is nested deeper than 64 levels.',
  },
  { what: 'a list with a comma at its end', body: '{"more":[1,]}', message: 'a value is no JSON.' },
  {
    what: 'a label of 4,097 bytes',
    body: `{"message":"${'m'.repeat(4097)}"}`,
    message: 'Member “message”: a text is longer than 4,096 bytes.',
  },
];

const syntax: Bad[] = [
  { what: 'a row that is a number', body: rows('1'), message: 'Row 1: it is no object.' },
  { what: 'a row that is null', body: rows('{}', 'null'), message: 'Row 2: it is no object.' },
  { what: 'a row that is a list', body: rows('{}', '{}', '[]'), message: 'Row 3: it is no object.' },
  { what: 'a comma after the last row', body: rows('{}', ''), message: 'Row 2: it is no object.' },
  { what: 'no comma between rows', body: rows('{} {}'), message: 'After row 1: “,” is missing.' },
  {
    what: 'a name without quotation marks',
    body: rows('{a:1}'),
    message: 'Row 1: the name of a field is missing.',
  },
  { what: 'a field twice', body: rows('{"a":1,"a":1}'), message: 'Row 1, field “a”: it is there twice.' },
  {
    what: 'a field twice, once with an escape',
    body: rows('{"geo":"A","g\\u0065o":"B"}'),
    message: 'Row 1, field “geo”: it is there twice.',
  },
  {
    what: 'a field twice after rows in order',
    body: rows('{"a":1,"b":2}', '{"a":1,"a":2}'),
    message: 'Row 2, field “a”: it is there twice.',
  },
  {
    what: 'an ignored field twice',
    body: rows('{"epc":"1","epc":"2"}'),
    message: 'field “epc”: it is there twice.',
  },
  {
    what: 'a number with a leading zero',
    body: rows('{"a":01}'),
    message: 'Row 1, field “a”: a value is no JSON.',
  },
  { what: 'a number with a plus', body: rows('{"a":+1}'), message: 'a value is no JSON.' },
  { what: 'a number that ends with its point', body: rows('{"a":1.}'), message: 'a value is no JSON.' },
  { what: 'a number that begins with its point', body: rows('{"a":.5}'), message: 'a value is no JSON.' },
  { what: 'an exponent without digits', body: rows('{"a":1e}'), message: 'a value is no JSON.' },
  { what: 'NaN', body: rows('{"a":NaN}'), message: 'a value is no JSON.' },
  { what: 'a minus alone', body: rows('{"a":-}'), message: 'a value is no JSON.' },
  { what: 'two numbers', body: rows('{"a":1 2}'), message: '“,” is missing.' },
  { what: 'a number with a sign in it', body: rows('{"a":1-2}'), message: 'a value is no JSON.' },
  {
    what: 'a control character in a text',
    body: rows('{"geo":"a\nb"}'),
    message: 'field “geo”: a text contains a control character.',
  },
  { what: 'an unknown escape', body: rows('{"geo":"\\x"}'), message: 'a text contains an unknown escape.' },
  {
    what: 'an escape of three digits',
    body: rows('{"geo":"\\u00e"}'),
    message: 'a text contains an unknown escape.',
  },
  {
    what: 'the first half of a surrogate pair',
    body: rows('{"geo":"\\ud83d"}'),
    message: 'half of a surrogate pair.',
  },
  {
    what: 'the first half before another escape',
    body: rows('{"geo":"\\ud83d\\n"}'),
    message: 'half of a surrogate pair.',
  },
  { what: 'two first halves', body: rows('{"geo":"\\ud83d\\ud83d"}'), message: 'half of a surrogate pair.' },
  {
    what: 'the second half of a surrogate pair',
    body: rows('{"geo":"\\ude00"}'),
    message: 'half of a surrogate pair.',
  },
  {
    what: 'two second halves',
    body: rows('{"geo":"\\ude00\\ude00"}'),
    message: 'half of a surrogate pair.',
  },
  { what: 'a half in a name', body: rows('{"\\ude00":1}'), message: 'half of a surrogate pair.' },
  {
    what: 'an overlong sequence',
    body: bytes('{"message":"', [0xc0, 0xaf], '"}'),
    message: 'a text is not valid UTF-8.',
  },
  {
    what: 'an overlong sequence of three',
    body: bytes('{"message":"', [0xe0, 0x80, 0xaf], '"}'),
    message: 'a text is not valid UTF-8.',
  },
  {
    what: 'a surrogate in UTF-8',
    body: bytes('{"message":"', [0xed, 0xa0, 0x80], '"}'),
    message: 'a text is not valid UTF-8.',
  },
  {
    what: 'a code point over U+10FFFF',
    body: bytes('{"message":"', [0xf4, 0x90, 0x80, 0x80], '"}'),
    message: 'a text is not valid UTF-8.',
  },
  {
    what: 'a sequence that ends early',
    body: bytes('{"message":"', [0xe2, 0x82], '"}'),
    message: 'a text is not valid UTF-8.',
  },
  {
    what: 'a continuation alone',
    body: bytes('{"message":"', [0x80], '"}'),
    message: 'a text is not valid UTF-8.',
  },
  {
    what: 'a nested value of 65 levels',
    body: rows(`{"a":${'['.repeat(62)}1${']'.repeat(62)}}`),
    message: 'Row 1, field “a”: it is nested deeper than 64 levels.',
  },
  {
    what: 'a nested value that is no JSON',
    body: rows('{"a":{"b":tru}}'),
    message: 'Row 1, field “a”: a value is no JSON.',
  },
];

const kinds: Bad[] = [
  {
    what: 'a date that is none',
    body: rows('{"date":"2026-02-30"}'),
    message: 'Row 1, field “date”: it is no date (YYYY-MM-DD).',
  },
  {
    what: 'a date with a time',
    body: rows('{"date":"2026-02-03T00:00:00Z"}'),
    message: 'it is no date (YYYY-MM-DD).',
  },
  { what: 'a date that is a number', body: rows('{"date":20260203}'), message: 'it is a number and no date' },
  {
    what: 'a count that is a number in the Search report',
    body: rows('{"total":1}'),
    message: 'field “total”: it is a number and no decimal in a text.',
  },
  {
    what: 'a count with a fraction',
    body: rows('{"total":"1.5"}'),
    message: 'field “total”: it is no whole number within the safe integers.',
  },
  {
    what: 'a count with a fraction of ten decimals',
    body: rows('{"total":"1.0000000001"}'),
    message: 'it is no whole number',
  },
  {
    what: 'a count over the safe integers',
    body: rows('{"total":"9007199254740992"}'),
    message: 'it is no whole number within the safe integers.',
  },
  {
    what: 'a count that is empty',
    body: rows('{"total":""}'),
    message: 'field “total”: it is no decimal number.',
  },
  { what: 'a count with an exponent', body: rows('{"total":"1e3"}'), message: 'it is no decimal number.' },
  {
    what: 'a count that is true',
    body: rows('{"total":true}'),
    message: 'field “total”: it is true or false.',
  },
  {
    what: 'a count that is an object',
    body: rows('{"total":{}}'),
    message: 'field “total”: it is an object or a list.',
  },
  {
    what: 'money with words',
    body: rows('{"revenue":"$5"}'),
    message: 'field “revenue”: it is no decimal number.',
  },
  {
    what: 'money over the safe integers',
    body: rows('{"revenue":"9007199254740992.5"}'),
    message: 'Row 1, field “revenue”: the number is too large to be kept exactly.',
    code: 'number_too_large',
  },
  {
    what: 'a feed that is a fraction',
    body: rows('{"feed":1.5}'),
    message: 'field “feed”: it is a fraction and no text.',
  },
  {
    what: 'a country that is a list',
    body: rows('{"geo":["BR"]}'),
    message: 'field “geo”: it is an object or a list.',
  },
  {
    what: 'a count that is a text in XML traffic',
    shape: xml,
    body: rows('{"gross_clicks":"1"}'),
    message: 'field “gross_clicks”: it is a text and no number.',
  },
  {
    what: 'a count with a fraction in XML traffic',
    shape: xml,
    body: rows('{"gross_clicks":1.5}'),
    message: 'it is no whole number',
  },
  {
    what: 'an exponent that is too large',
    shape: xml,
    body: rows('{"net_revenue":1e999999999}'),
    message: 'too large to be kept exactly',
    code: 'number_too_large',
  },
  {
    what: 'a number of 4,097 digits that is no quantity',
    body: rows(`{"id":${'9'.repeat(4097)}}`),
    message: 'Row 1, field “id”: a number is longer than 4,096 bytes.',
  },
  {
    what: 'a text of 4,097 bytes',
    body: rows(`{"subid":"${'s'.repeat(4097)}"}`),
    message: 'Row 1, field “subid”: a text is longer than 4,096 bytes.',
  },
  {
    what: 'a text of 4,098 bytes in letters of two',
    body: rows(`{"subid":"${'é'.repeat(2049)}"}`),
    message: 'a text is longer than 4,096 bytes.',
  },
  {
    what: 'a name of 201 bytes',
    body: rows(`{"${'n'.repeat(201)}":1}`),
    message: 'Row 1: a text is longer than 200 bytes.',
  },
  {
    what: 'a row with 61 fields',
    body: rows(`{${Array.from({ length: 61 }, (_, at) => `"f${at}":1`).join(',')}}`),
    message: 'Row 1: the rows have more than 60 fields.',
  },
  {
    what: 'a name that pretends',
    body: rows('{"a“ or \\u202e":01}'),
    message: 'field “a" or ⟨U+202E⟩”: a value is no JSON.',
  },
];

describe.each([
  ['a truncated answer', cut],
  ['an envelope', envelope],
  ['the syntax of rows', syntax],
  ['the kinds of field values', kinds],
])('an invalid report is refused with its position: %s', (_name, table) => {
  it.each(table)('$what', ({ body, message, shape = search, code = 'service_answer_unreadable' }) => {
    const whole = Buffer.from(body);
    const failure = failureOf(shape, [whole]);
    expect(failure.message).toContain(message);
    expect(failure.code).toBe(code);
    if (whole.length > 400) return;
    // The failure must be the same wherever the answer is split, even byte by byte.
    for (let at = 1; at < whole.length; at += 1) {
      const split = failureOf(shape, [whole.subarray(0, at), whole.subarray(at)]);
      expect(split.message).toBe(failure.message);
    }
    expect(
      failureOf(
        shape,
        Array.from(whole, (byte) => Uint8Array.of(byte)),
      ).message,
    ).toBe(failure.message);
  });
});

it('a refusal contains row and field as data, not only in its text', () => {
  expect(failureOf(search, [Buffer.from(rows('{}', '{"total":"x"}'))]).data).toEqual({
    row: 2,
    field: 'total',
  });
});

describe('the limits of a report', () => {
  const read = (limits: Partial<ReportLimits>, body: string) => () => {
    const parser = new ReportParser(search, { ...reportLimits, ...limits });
    parser.push(Buffer.from(body));
    return parser.finish();
  };
  const body = rows('{"geo":"BR"}', '{"geo":"US"}');

  it.each<[Partial<ReportLimits>, Partial<ReportLimits>, string]>([
    [
      { bytes: body.length },
      { bytes: body.length - 1 },
      `The report is larger than ${body.length - 1} bytes.`,
    ],
    [{ rows: 2 }, { rows: 1 }, 'The report has more than 1 rows.'],
    [{ columns: 3 }, { columns: 2 }, 'there are more than 2 members.'],
    [{ textBytes: 7 }, { textBytes: 6 }, 'Member “status”: a text is longer than 6 bytes.'],
    [{ nameBytes: 3 }, { nameBytes: 2 }, 'Row 1: a text is longer than 2 bytes.'],
  ])('are met by an answer with %o and exceeded with %o', (fits, exceeds, message) => {
    expect(read(fits, body)().rowCount).toBe(2);
    expect(read(exceeds, body)).toThrow(message);
  });

  it('apply to values and different texts of many rows', () => {
    const many = rows(...Array.from({ length: 1025 }, (_, at) => `{"geo":"${at + 1000}","feed":1}`));
    expect(read({ cells: 2048, distinctTextBytes: 4097 }, many)().rowCount).toBe(1025);
    expect(read({ cells: 2047 }, many)).toThrow('The report has more than 2,047 values.');
    expect(read({ distinctTextBytes: 4096 }, many)).toThrow('more than 4,096 bytes of different texts.');
  });

  it.each<[string, Partial<ReportLimits>, string]>([
    ['bytes', { bytes: 10 }, 'report_too_large'],
    ['rows', { rows: 1 }, 'report_too_large'],
    ['values', { cells: 1_023 }, 'report_too_large'],
    ['different texts', { distinctTextBytes: 100 }, 'report_too_large'],
    ['columns', { columns: 2 }, 'service_answer_unreadable'],
    ['a long text', { textBytes: 3 }, 'service_answer_unreadable'],
    ['a long name', { nameBytes: 2 }, 'service_answer_unreadable'],
  ])('distinguish too many %s, which fewer days may avoid, from a fault', (_what, limits, code) => {
    const many = rows(...Array.from({ length: 1025 }, (_, at) => `{"geo":"${at + 1000}"}`));
    expect(read(limits, many)).toThrow(expect.objectContaining({ code }));
  });

  it('refuse a value over 1 MiB while it arrives', () => {
    const parser = new ReportParser(search);
    parser.push(Buffer.from('{"more":["'));
    const chunk = Buffer.alloc(2 ** 18, 'x');
    const push = () => {
      for (let pushed = 0; pushed < 20; pushed += 1) parser.push(chunk);
    };
    expect(push).toThrow('it is larger than 1 MiB');
  });
});

function failureOf(shape: ReportShape, chunks: readonly Uint8Array[]): AppError {
  const parser = new ReportParser(shape);
  try {
    for (const chunk of chunks) parser.push(chunk);
    parser.finish();
  } catch (error) {
    return error as AppError;
  }
  throw new Error('It was read.');
}
