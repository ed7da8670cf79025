import { expect, test } from 'vitest';
import { type FileNotation, planFileRow, dateOrderOf, decimalMarkOf } from '#shared/drafts/index.ts';
import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';

const row = (cells: Record<string, string>): ReadonlyMap<string, string> => new Map(Object.entries(cells));

test.each<[string, string[], FileNotation['dates']]>([
  ['dates of the export', ['2026-12-31', '2026-01-02'], 'year-first'],
  ['dates with points', ['31.12.2026', '1.2.2026'], 'year-first'],
  ['no date', ['', 'soon'], 'year-first'],
  ['a day above 12 in front', ['31/12/2026', '1/2/2026'], 'day-first'],
  ['a day above 12 behind', ['1/2/2026', '12/31/2026'], 'month-first'],
  ['dashes', ['12-31-2026'], 'month-first'],
  ['nothing that tells', ['1/2/2026', '03/04/2026'], 'unknown'],
  ['both', ['31/12/2026', '12/31/2026'], 'unknown'],
  ['one day in both orders', ['5/5/2026'], 'year-first'],
])('the order of dates is recognised: %s', (_case, dates, order) => {
  expect(dateOrderOf(dates.map((expire) => row({ expire, name: '31/12/2026' })))).toBe(order);
});

test('the decimal mark is recognised if one number is unambiguous', () => {
  expect(decimalMarkOf([row({ payout: '1,234' }), row({ payout: '0,05' })])).toBe('comma');
  expect(decimalMarkOf([row({ payout: '1,234' })])).toBe('unknown');
});

test.each<[string, Record<string, string>]>([
  ['an OS version', { os_versions: '10.15' }],
  ['a keyword', { keywords_blocklist: '12,13' }],
  ['a name', { name: '0,5' }],
  ['a filter', { ip_blocklist: '10.1' }],
])('%s does not reveal the decimal mark', (_case, cells) => {
  expect(decimalMarkOf([row({ payout: '1,234', ...cells })])).toBe('unknown');
  expect(decimalMarkOf([row({ t_revenue: '1.250', ...cells })])).toBe('unknown');
});

const notations = { decimals: 'unknown', dates: 'unknown' } as const satisfies FileNotation;

/** Returns the value that a cell sets, `same`, or the reason why it cannot be read. */
function readOf(field: string, stored: JsonValue, cell: string, notation: Partial<FileNotation>): unknown {
  const campaign: JsonObject = { [field]: stored };
  const line = { line: 2, cid: 7, version: 'v1', cells: row({ [field]: cell }) };
  const plan = planFileRow(line, {
    memberKindOf: () => null,
    campaign,
    present: campaign,
    version: 'v1',
    notation: { ...notations, ...notation },
    choices: { rounded: null, lost: null },
    exported: () => null,
  });
  if (plan.kind !== 'changes') return plan.message;
  const [change] = plan.changes;
  const [operation] = change?.operations ?? [];
  return operation?.kind === 'set' ? operation.value : 'same';
}

const twoWays = expect.stringMatching(/two ways.*Choose the order of dates/u);
const noDate = expect.stringMatching(/isn’t a date like/u);
const noCountry = (entry: string): unknown =>
  expect.stringContaining(`Countries has an entry that isn’t a country: “${entry}”.`);
const noNumber = (cell: string): unknown => expect.stringContaining(`isn’t a number: “${cell}”`);
const noTime = expect.stringMatching(/isn’t a time like/u);

test.each<[field: string, stored: JsonValue, cell: string, notation: Partial<FileNotation>, read: unknown]>([
  ['expire', '2026-12-31', '2026-12-31', {}, 'same'],
  ['expire', '2026-12-31', '2026/12/31', {}, 'same'],
  ['expire', '2026-12-31', '31.12.2026', {}, 'same'],
  ['expire', '2026-12-31', '12/31/2026', { dates: 'month-first' }, 'same'],
  ['expire', '2026-12-31', '31/12/2026', { dates: 'day-first' }, 'same'],
  ['expire', '2026-12-31', '31/12/2026', {}, 'same'],
  ['expire', '2026-12-31', '31/12/2026', { dates: 'month-first' }, noDate],
  ['expire', '2026-02-01', '1/2/2026', { dates: 'day-first' }, 'same'],
  ['expire', '2026-02-01', '1/2/2026', { dates: 'month-first' }, '2026-01-02'],
  ['expire', '2026-02-01', '1/2/2026', {}, twoWays],
  ['expire', '2026-05-06', '5/5/2026', {}, '2026-05-05'],
  ['expire', '2026-05-06', '31/2/2026', {}, noDate],
  ['expire', '2026-05-06', '31/12/26', {}, noDate],
  ['expire', '2026-05-06', '', {}, ''],
  ['create', '2026-02-01', '1/2/2026', {}, twoWays],
  ['expire_time', '23:59', '23:59:00', {}, 'same'],
  ['create_time', '00:00', '0:00', {}, 'same'],
  ['create_time', '00:00', '12:00 AM', {}, 'same'],
  ['expire_time', '23:59', '11:59 PM', {}, 'same'],
  ['expire_time', '23:59', '11:59:00 p.m.', {}, 'same'],
  ['expire_time', '23:59', '12:15 PM', {}, '12:15'],
  ['expire_time', '23:59', '13:15 PM', {}, noTime],
  ['expire_time', '23:59', '24:00', {}, noTime],
  ['keywords_blocklist', 'a\r\nb', 'a\nb', {}, 'same'],
  ['keywords_blocklist', 'a\nb', 'a\r\nb', {}, 'same'],
  ['keywords_blocklist', 'a\nb', 'a\rb', {}, 'same'],
  ['keywords_blocklist', 'a\r\nb', 'a\nb\nc', {}, 'a\r\nb\r\nc'],
  ['keywords_blocklist', 'a\nb', 'a\r\nb\r\nc', {}, 'a\nb\nc'],
  ['t_revenue', 50, 'Unlimited', {}, 0],
  ['d_revenue', 50, ' UNLIMITED ', {}, 0],
  ['t_revenue', 0, 'unlimited', {}, 'same'],
  ['payout', 0.1, 'Unlimited', {}, 'Bid isn’t a number: “Unlimited”.'],
  ['payout', 0.1, ' ', {}, 'Bid is empty.'],
  ['d_revenue', 50, '', {}, 'Daily budget is empty. For no limit, enter 0 or Unlimited.'],
  ['t_revenue', 50, 'none', {}, 'Total budget isn’t a number: “none”. For no limit, enter 0 or Unlimited.'],
  ['payout', 0.1, '0,10', { decimals: 'comma' }, 'same'],
  ['payout', 0.1, '0.045', { decimals: 'comma' }, 0.045],
  ['payout', 0.1, '0,045', { decimals: 'point' }, noNumber('0,045')],
  ['payout', 0.1, '0,045', { decimals: 'comma' }, 0.045],
  ['payout', 0.1, '0,045', { decimals: 'unknown' }, expect.stringMatching(/two ways/u)],
  ['payout', 0.1, '1.234', { decimals: 'comma' }, 1_234],
  ['payout', 0.1, '1,234', { decimals: 'point' }, 1_234],
  ['t_revenue', 1, '1 250,50', { decimals: 'comma' }, 1_250.5],
  ['t_revenue', 1, '$ 1 250.50', { decimals: 'point' }, 1_250.5],
  ['t_revenue', 1, '1 250 $', { decimals: 'point' }, 1_250],
  ['t_revenue', 1, '50 60', { decimals: 'point' }, expect.stringContaining('isn’t a number: “50 60”')],
  ['status', 1, ' Paused ', {}, 3],
  ['status', 1, 'Active', {}, 'same'],
  // Files of earlier versions have codes.
  ['status', 1, '1', {}, 'same'],
  ['status', 1, '3', {}, 3],
  [
    'status',
    1,
    'Stopped',
    {},
    'Status is none of Pending, Active, Suspended, Paused and Scheduled: “Stopped”.',
  ],
  ['geo', ['DE'], 'DE|BR', {}, ['DE', 'BR']],
  ['geo', ['DE'], 'DE|br|Brazil|UK', {}, ['DE', 'BR', 'GB']],
  ['geo', ['DE'], 'germany', {}, 'same'],
  ['geo', ['DE'], 'DE|XX|ZZ', {}, noCountry('XX')],
  ['geo', ['DE'], 'DE|Atlantis', {}, noCountry('Atlantis')],
  ['geo', ['XX', 'de'], 'XX|de|US', {}, ['XX', 'de', 'US']],
  ['os', ['Android'], 'Android|XX', {}, ['Android', 'XX']],
])('%s %j as the cell %j with %j is %j', (field, stored, cell, notation, read) => {
  expect(readOf(field, stored, cell, notation)).toEqual(read);
});
