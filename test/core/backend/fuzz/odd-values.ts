import type { Random } from '#shared/lib/random.ts';
import type { JsonValue } from '#shared/lib/json/json-value.ts';

/** Values that have broken servers before, grouped by kind. */
export const oddValues: readonly (readonly JsonValue[])[] = [
  [null],
  [true, false],
  [0, -0, 1, -1, 2, 1.5, 1e21, -1e308, 5e-324, 9007199254740991],
  ['', ' ', '0', 'x'],
  [
    'NaN',
    '\0',
    '\u202e',
    '👩‍👩‍👧',
    "'; DROP TABLE campaign;--",
    '"',
    '%',
    '%00',
    '../../etc/passwd',
    '${jndi:ldap://127.0.0.1/x}',
    '<script>alert(1)</script>',
    '=cmd|calc',
    'constructor',
    '__proto__',
    'toString',
    '2026-02-30',
    '24:00',
    'http://',
    'javascript:alert(1)',
    'https://[::1',
    'x'.repeat(300),
    'é'.repeat(5_000),
  ],
  [[], [[]], [null]],
  [{}, { url: '' }, { toString: 1 }, { constructor: { prototype: null } }],
];

/** Returns any of the odd values. Every kind is equally likely. */
export function oddValue(random: Random): JsonValue {
  return random.pick(random.pick(oddValues));
}

/** The odd values as text, for queries, forms, paths and headers. */
export const oddTexts: readonly string[] = oddValues
  .flat()
  .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));

/** JSON that `JSON.stringify` never writes. */
export const oddJson: readonly string[] = [
  '{"__proto__":{"a":1}}',
  '{"a":1,"a":2}',
  '9007199254740993',
  '1e999',
  '"\\ud800"',
  `${'['.repeat(200)}${']'.repeat(200)}`,
  '{"a":}',
  'undefined',
  'NaN',
  '01',
  '"\\x"',
  "{'a':1}",
  '[1,]',
  '\ufeff{}',
];
