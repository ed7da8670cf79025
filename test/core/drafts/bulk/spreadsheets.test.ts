import { expect, test } from 'vitest';
import { parseFile } from '#core/drafts/bulk/worker/parse-file.ts';
import {
  type CellChoices,
  dateOrderOf,
  decimalMarkOf,
  fileHeader,
  fileLine,
  planFileRow,
  readTable,
} from '#shared/drafts/index.ts';
import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';

/** The exported campaign, which the service still has unchanged. */
const campaign: JsonObject = {
  cid: 105_230,
  name: 'IN · Push – mobile · v7',
  status: 3,
  payout: 0.0065,
  enable_budget: 1,
  d_revenue: 500,
  t_revenue: 1_234.5,
  enable_time: 1,
  expire: '2026-12-31',
  expire_time: '23:59',
  freq_cap: 1,
  freq_counter: 3,
  publisher_blocklist: [1_204_331, 1_204_332],
  keywords_enabled: 1,
  keywords_blocklist: 'free\ncracked',
};
const fields = ['name', 'payout', 't_revenue', 'expire', 'expire_time', 'keywords_blocklist'];
const head =
  'Campaign id (cid),Name (name),Bid (payout),Total budget (t_revenue),End date (expire),End time (expire_time),Blocked keywords (keywords_blocklist),Version (countersign_version)';
const version = 'vbf6e178a29e6';

const asks: CellChoices = { rounded: null, lost: null };
const bom = [0xef, 0xbb, 0xbf];
const utf8 = (text: string, mark: readonly number[] = []): Uint8Array =>
  new Uint8Array([...mark, ...Buffer.from(text, 'utf8')]);

/** Encodes the text in Windows-1252, in which `–` is 0x96. */
const ansi = (text: string): Uint8Array => {
  const bytes = [...text].map((letter) => (letter === '–' ? 0x96 : (letter.codePointAt(0) ?? 0)));
  return new Uint8Array(bytes);
};

/** Returns what the file changes in the campaign, by field; otherwise the reason why a cell or the file is refused. */
function changesOf(bytes: Uint8Array, choices: CellChoices = asks, stored: JsonObject = campaign): unknown {
  const parsed = parseFile({ bytes, as: { encoding: null, separator: null } });
  if (parsed.kind !== 'parsed') return parsed.reason;
  const table = readTable(parsed.records, (name) => name.endsWith('list'));
  const [row] = table?.rows ?? [];
  if (table === null || row === undefined) return table?.faults.map(({ message }) => message) ?? 'no ids';
  const cells = table.rows.map((one) => one.cells);
  const plan = planFileRow(row, {
    campaign: stored,
    present: stored,
    version,
    notation: { decimals: decimalMarkOf(cells), dates: dateOrderOf(cells) },
    choices,
    memberKindOf: () => null,
    exported: () => null,
  });
  if (plan.kind !== 'changes') return plan.message;
  return Object.fromEntries(
    plan.changes.map(({ field, operations: [operation] }) => [
      field,
      operation?.kind === 'set' ? operation.value : null,
    ]),
  );
}

test('the export is exactly the file that was opened in the spreadsheet programs', () => {
  expect(`${fileHeader(fields)}${fileLine(campaign, fields, version)}`).toBe(
    `${head}\r\n105230,IN · Push – mobile · v7,0.0065,1234.5,2026-12-31,23:59,"free\ncracked",${version}\r\n`,
  );
});

const semicolons = head.replaceAll(',', ';');

/** The exported file, saved by each program without an edit. */
test.each<[program: string, Uint8Array]>([
  [
    'Excel (US), CSV UTF-8',
    utf8(
      `${head}\r\n105230,IN · Push – mobile · v7,0.0065,1234.5,12/31/2026,23:59,"free\ncracked",${version}\r\n`,
      bom,
    ),
  ],
  [
    'Excel (US), CSV',
    ansi(
      `${head}\r\n105230,IN · Push – mobile · v7,0.0065,1234.5,12/31/2026,23:59,"free\ncracked",${version}\r\n`,
    ),
  ],
  [
    'Excel (US), amounts with thousands separators',
    utf8(
      `${head}\r\n105230,IN · Push – mobile · v7,0.0065,"1,234.50",12/31/2026,11:59 PM,"free\ncracked",${version}\r\n`,
      bom,
    ),
  ],
  [
    'Excel (German), CSV UTF-8',
    utf8(
      `${semicolons}\r\n105230;IN · Push – mobile · v7;0,0065;1234,5;31.12.2026;23:59;"free\ncracked";${version}\r\n`,
      bom,
    ),
  ],
  [
    'Excel (German), CSV',
    ansi(
      `${semicolons}\r\n105230;IN · Push – mobile · v7;0,0065;1.234,50;31.12.2026;23:59:00;"free\ncracked";${version}\r\n`,
    ),
  ],
  [
    'Excel (German), with a separator line',
    utf8(
      `sep=;\r\n${semicolons}\r\n105230;IN · Push – mobile · v7;0,0065;1234,5;31.12.2026;23:59;"free\ncracked";${version}\r\n`,
      bom,
    ),
  ],
  [
    'Excel, Unicode text',
    new Uint8Array([
      0xff,
      0xfe,
      ...Buffer.from(
        `${head.replaceAll(',', '\t')}\r\n105230\tIN · Push – mobile · v7\t0.0065\t1234.5\t12/31/2026\t23:59\t"free\ncracked"\t${version}\r\n`,
        'utf16le',
      ),
    ]),
  ],
  [
    'LibreOffice, with every text quoted',
    utf8(
      `"${head.replaceAll(',', '","')}"\n105230,"IN · Push – mobile · v7",0.0065,1234.5,2026-12-31,23:59:00,"free\ncracked","${version}"\n`,
    ),
  ],
  [
    'Sheets, CSV',
    utf8(
      `${head}\r\n105230,IN · Push – mobile · v7,0.0065,1234.5,2026-12-31,23:59,"free\ncracked",${version}`,
    ),
  ],
  [
    'Sheets, TSV',
    utf8(
      `${head.replaceAll(',', '\t')}\r\n105230\tIN · Push – mobile · v7\t0.0065\t1234.5\t2026-12-31\t23:59\tfree cracked\t${version}`,
    ),
  ],
  [
    'Numbers',
    utf8(
      `${semicolons}\n105230;IN · Push – mobile · v7;0,0065;1234,5;31.12.2026;23:59;"free\ncracked";${version}\n`,
    ),
  ],
  [
    'pandas, with padded rows and decimals in every number',
    utf8(
      `${head.toUpperCase()},\n105230.0,IN · Push – mobile · v7,0.0065,1234.5,2026-12-31,23:59,"free\ncracked",${version},\n`,
    ),
  ],
])('importing a file that %s saved again changes nothing', (_program, bytes) => {
  expect(changesOf(bytes)).toEqual({});
});

test('a letter stored with a separate accent is the same letter', () => {
  const stored = { ...campaign, name: 'Café' };
  expect(
    changesOf(utf8(`cid,name,countersign_version\n105230,Cafe\u0301,${version}\n`), asks, stored),
  ).toEqual({});
});

const long = Array.from({ length: 5_000 }, (_, index) => `site-${index}.example`);
const cut = long.join('|').slice(0, 32_767);
const small = (cells: string): Uint8Array =>
  utf8(`cid,${cells.replace('\n', `,countersign_version\n105230,`)},${version}\n`);

/** A cell that a spreadsheet damaged, and what is read from it with each choice: ask, keep and take. */
test.each<[title: string, Uint8Array, asked: unknown, kept: unknown, taken: unknown]>([
  [
    'a bid in a format with two decimals',
    small('payout\n$0.01'),
    expect.stringMatching(/^Bid “\$0\.01” is the exported 0\.0065 rounded/u),
    {},
    { payout: 0.01 },
  ],
  [
    'a budget in a format without decimals, rounded half up',
    small('t_revenue\n"1,235"'),
    expect.stringMatching(/two ways/u),
    expect.stringMatching(/two ways/u),
    expect.stringMatching(/two ways/u),
  ],
  [
    'a budget without decimals next to a bid that shows the decimal mark',
    utf8(`cid;payout;t_revenue;countersign_version\r\n105230;0,0065;1.235;${version}\r\n`),
    expect.stringMatching(/^Total budget “1\.235” is the exported 1234\.5 rounded/u),
    {},
    { t_revenue: 1_235 },
  ],
  [
    'a bid whose half was rounded to the even digit',
    small('payout\n0.006'),
    expect.stringMatching(/^Bid “0\.006” is the exported 0\.0065 rounded/u),
    {},
    { payout: 0.006 },
  ],
  [
    'a bid that is not a rounded value',
    small('payout\n0.02'),
    { payout: 0.02 },
    { payout: 0.02 },
    { payout: 0.02 },
  ],
  [
    'a bid with additional decimals',
    small('payout\n0.00650001'),
    { payout: 0.006_500_01 },
    { payout: 0.006_500_01 },
    { payout: 0.006_500_01 },
  ],
  [
    'a name whose letters became question marks',
    small('name\nIN ? Push ? mobile ? v7'),
    expect.stringMatching(/^Name “IN \? Push \? mobile \? v7” lost letters/u),
    {},
    { name: 'IN ? Push ? mobile ? v7' },
  ],
  [
    'an edited name whose letters became question marks',
    small('name\nIN ? Push ? mobile ? v8'),
    expect.stringMatching(/^Name “IN \? Push \? mobile \? v8” lost letters/u),
    {},
    { name: 'IN ? Push ? mobile ? v8' },
  ],
  [
    'a name whose letters were replaced by similar letters',
    small('name\nIN . Push - mobile . v7'),
    expect.stringMatching(/^Name .* lost letters/u),
    {},
    { name: 'IN . Push - mobile . v7' },
  ],
  [
    'a name in the wrong encoding',
    small('name\nIN Â· Push â€“ mobile Â· v7'),
    expect.stringMatching(/^Name .* lost letters/u),
    {},
    { name: 'IN Â· Push â€“ mobile Â· v7' },
  ],
  [
    'a name with the replacement character',
    small('name\nAnother \uFFFD name'),
    expect.stringMatching(/^Name .* lost letters/u),
    {},
    { name: 'Another \uFFFD name' },
  ],
  [
    'a name with a question',
    small('name\nWhy? Why not?'),
    { name: 'Why? Why not?' },
    { name: 'Why? Why not?' },
    { name: 'Why? Why not?' },
  ],
  ...(['#N/A', '#REF!', '#NV', 'Err:502'] as const).map(
    (value): [string, Uint8Array, unknown, unknown, unknown] => {
      const message = `Name became an error value in a spreadsheet: “${value}”.`;
      return [`an error value ${value}`, small(`name\n${value}`), message, message, message];
    },
  ),
  [
    'an error value in a list',
    small('site_app_blocklist\na.example|#N/A'),
    ...Array.from({ length: 3 }, () => expect.stringContaining('“#N/A”')),
  ] as [string, Uint8Array, unknown, unknown, unknown],
  [
    'an invisible character in a list entry',
    small('site_app_blocklist\na.example|b\u200B.example'),
    ...Array.from({ length: 3 }, () => expect.stringContaining('invisible')),
  ] as [string, Uint8Array, unknown, unknown, unknown],
  [
    'a list that was cut at 32,767 characters',
    small(`domain_blocklist\n${cut}`),
    ...Array.from({ length: 3 }, () => expect.stringMatching(/^Blocked domains lost everything after/u)),
  ] as [string, Uint8Array, unknown, unknown, unknown],
  [
    'a list whose lines were joined and edited',
    small('keywords_blocklist\nfree cracked torrent'),
    ...Array.from({ length: 3 }, () => expect.stringMatching(/^Blocked keywords lost all line ends/u)),
  ] as [string, Uint8Array, unknown, unknown, unknown],
  [
    'a multi-line list with fewer lines',
    small('keywords_blocklist\nfree'),
    ...Array.from({ length: 3 }, () => ({ keywords_blocklist: 'free' })),
  ] as [string, Uint8Array, unknown, unknown, unknown],
  [
    'a count with decimals',
    small('freq_counter\n4.0'),
    ...Array.from({ length: 3 }, () => ({ freq_counter: 4 })),
  ] as [string, Uint8Array, unknown, unknown, unknown],
  [
    'a count that is not a whole number',
    small('freq_counter\n4.5'),
    ...Array.from({ length: 3 }, () => expect.stringMatching(/^Frequency count isn’t a whole number/u)),
  ] as [string, Uint8Array, unknown, unknown, unknown],
])('a file with %s needs an answer from the user or is refused', (_title, bytes, asked, kept, taken) => {
  const stored = { ...campaign, site_app_blocklist: ['a.example'], domain_blocklist: long };
  expect(changesOf(bytes, asks, stored)).toEqual(asked);
  expect(changesOf(bytes, { rounded: 'keep', lost: 'keep' }, stored)).toEqual(kept);
  expect(changesOf(bytes, { rounded: 'take', lost: 'take' }, stored)).toEqual(taken);
});

test.each<[title: string, text: string, expected: unknown]>([
  ['without versions', 'cid,payout,expire,expire_time\r\n105230,0.05,,\r\n', { payout: 0.05 }],
  ['of other spaces', 'cid,payout,expire\r\n105230,,\u00A0\r\n', {}],
  [
    'of a row without its version',
    `cid,payout,expire,countersign_version\r\n105230,0.05,,\r\n`,
    expect.any(String),
  ],
  [
    'with versions',
    `cid,expire,expire_time,countersign_version\r\n105230,,,${version}\r\n`,
    { expire: '', expire_time: '' },
  ],
  ['of a number with versions', `cid,payout,countersign_version\r\n105230,,${version}\r\n`, 'Bid is empty.'],
])('a blank cell in a file %s is handled by its context', (_title, text, expected) => {
  expect(changesOf(utf8(text))).toEqual(expected);
});

test.each<[title: string, text: string, expected: unknown]>([
  [
    'ids with thousands separators',
    'cid,payout\r\n"105,230",0.05\r\n',
    ['There is no campaign id: “105,230”.'],
  ],
  ['ids that were rounded', 'cid,payout\r\n1.05E+05,0.05\r\n', ['There is no campaign id: “1.05E+05”.']],
  ['cells beyond the header', 'cid,payout\r\n105230,0.05,9\r\n', ['It has 3 cells; the first line has 2.']],
  ['padded rows', 'cid,payout\r\n105230,0.05,,\r\n', { payout: 0.05 }],
  ['ids with decimals', 'cid,payout\r\n105230.0,0.05\r\n', { payout: 0.05 }],
  ['ids with a decimal comma', 'cid;payout\r\n105230,00;0,05\r\n', { payout: 0.05 }],
  ['a head in capitals', 'CID,Bid (PAYOUT)\r\n105230,0.05\r\n', { payout: 0.05 }],
  ['a separator line', 'sep=;\r\ncid;payout\r\n105230;0,05\r\n', { payout: 0.05 }],
  ['a padded separator line', '"sep=;";\r\ncid;payout\r\n105230;0,05\r\n', { payout: 0.05 }],
  ['a line that names another separator', 'sep=,\ncid;payout\r\n105230;0,05\r\n', 'no ids'],
])('a file is read despite %s', (_title, text, expected) => {
  expect(changesOf(utf8(text))).toEqual(expected);
});

const unchanged: [string, JsonValue][] = Object.entries(campaign).filter(([field]) => field !== 'cid');
test.each(unchanged)('%s: the exported cell counts as unchanged, whatever the user chose', (field) => {
  const text = `${fileHeader([field])}${fileLine(campaign, [field], version)}`;
  expect(changesOf(utf8(text, bom), { rounded: 'take', lost: 'take' })).toEqual({});
});
