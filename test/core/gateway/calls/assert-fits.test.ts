import { expect, test } from 'vitest';
import { assertFits, undeclaredIn } from '#core/gateway/calls/assert-fits.ts';
import { isCommitMember } from '#core/proposals/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';

/** Returns the message that refuses these arguments, or null if they fit. */
function refusal(args: JsonObject, schema: JsonValue | undefined): string | null {
  try {
    assertFits(args, schema, undeclaredIn(args, schema));
    return null;
  } catch (failure) {
    if (failure instanceof AppError && failure.code === 'arguments_invalid') return failure.message;
    throw failure;
  }
}

const begins = 'Not sent for approval: some arguments are not valid. ';
const closed = (properties: JsonObject): JsonObject => ({ properties, additionalProperties: false });
const withType = (type: JsonValue): JsonObject => ({ type: 'object', properties: { a: { type } } });

test.each<[string, JsonObject, JsonObject, string]>([
  ['missing', {}, { required: ['a'] }, '“a” is missing.'],
  ['missing', {}, { ...withType('object'), required: ['a', 'a'] }, '“a” is missing. Give an object.'],
  ['of another type', { a: 'x' }, withType('object'), '“a” is a text, “x”. Give an object.'],
  ['of another type', { a: [] }, withType('object'), '“a” is a list, “[]”. Give an object.'],
  ['of another type', { a: null }, withType('string'), '“a” is null. Give a text.'],
  ['of another type', { a: '1' }, withType('number'), '“a” is a text, “1”. Give a number.'],
  ['of another type', { a: 1.5 }, withType('integer'), '“a” is a number, 1.5. Give a whole number.'],
  ['of another type', { a: true }, withType(['array', 'null']), '“a” is true. Give a list or null.'],
  ['undeclared', { a: 1, b: 2 }, closed({ a: {} }), '“b” is no argument of this tool. Leave it out.'],
  [
    'undeclared',
    { A: 1 },
    closed({ a: {} }),
    '“A” is no argument of this tool. Leave it out. Perhaps “a” is meant.',
  ],
  ['undeclared', { toString: 1 }, closed({}), '“toString” is no argument of this tool. Leave it out.'],
  [
    'undeclared in an object',
    { a: { b: 1, c: 2 } },
    { properties: { a: closed({ b: {} }) } },
    '“a.c” is no argument of this tool. Leave it out.',
  ],
  [
    'undeclared in an object in a list',
    { a: [{}, { 'x y': 1 }] },
    { properties: { a: { items: closed({}) } } },
    '“a[1]["x y"]” is no argument of this tool. Leave it out.',
  ],
  [
    'undeclared under unevaluatedProperties',
    { b: 1 },
    { properties: { a: {} }, unevaluatedProperties: false },
    '“b” is no argument of this tool. Leave it out.',
  ],
  ['missing, with a quoted name', {}, { required: ['x\u202e'] }, '“x⟨U+202E⟩” is missing.'],
  [
    'missing, with a name of the prototype',
    {},
    { required: ['toString'], properties: {} },
    '“toString” is missing.',
  ],
])('an argument is refused by name with what to send instead: %s', (_, args, schema, message) => {
  expect(refusal(args, schema)).toBe(`${begins}${message}`);
});

test('a refusal names five of many invalid arguments and counts the rest', () => {
  const required = Array.from({ length: 9 }, (_, at) => `n${at}`);
  expect(refusal({}, { required })).toMatch(/“n4” is missing\. 4 more do not fit\.$/);
});

test.each<[string, JsonObject, JsonValue | undefined]>([
  ['fits', { a: 1 }, { ...withType('integer'), required: ['a'] }],
  ['fits one of several', { a: null }, withType(['object', 'null'])],
  ['is undeclared in an open schema', { b: 1 }, withType('object')],
  ['may fit a pattern', { b: 1 }, { ...closed({}), patternProperties: { '^(b+)+$': {} } }],
  [
    'may be declared in another part of the schema',
    { b: 1 },
    { unevaluatedProperties: false, allOf: [{ properties: { b: {} } }] },
  ],
  ['has no schema', {}, undefined],
  ['has an invalid schema', {}, 'object'],
  ['has a default', {}, { properties: { a: { default: 1 } }, required: ['a'] }],
  ['may be null', { a: null }, { properties: { a: { type: 'string', nullable: true } } }],
  ['is of an unknown type', { a: 1 }, withType('decimal')],
  ['is declared by a reference', { a: 1 }, { properties: { a: { $ref: 'https://x.test', type: 'null' } } }],
  ['is declared in a definition', {}, { $ref: '#/$defs/x', required: ['a'] }],
  ['is required in an old notation', {}, { properties: { a: { required: true } }, required: true }],
  ['has to match a pattern', { a: `${'a'.repeat(50_000)}!` }, { properties: { a: { pattern: '^(a+)+$' } } }],
  ['is one of very many required ones', {}, { required: Array.from({ length: 200_000 }, String) }],
  ['has the name of a prototype member', { constructor: 1 }, { properties: {} }],
])('an argument that %s is left to the service', (_, args, schema) => {
  expect(refusal(args, schema)).toBeNull();
});

test('undeclared arguments are listed by path, always at the top level and deeper only in closed objects', () => {
  const pattern = { ...closed({}), patternProperties: { '^x': {} } };
  const schema = { properties: { open: { properties: { a: {} } }, closed: closed({ a: {} }), pattern } };
  const args = { open: { a: 1, b: 2 }, closed: { b: 2 }, pattern: { x: 1 }, note: 'x', constructor: 1 };
  expect(undeclaredIn(args, schema)).toEqual([
    { path: 'closed.b', isForbidden: true },
    { path: 'pattern.x', isForbidden: false },
    { path: 'note', isForbidden: false },
    { path: 'constructor', isForbidden: false },
  ]);
  for (const none of [undefined, true, { type: 'object' }, { $ref: '#/$defs/x' }]) {
    expect(undeclaredIn({ note: 'x' }, none)).toEqual([{ path: 'note', isForbidden: false }]);
  }
});

test('a forbidden argument is found among any number of others', () => {
  const others = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`n${at}`, at]));
  expect(refusal({ ...others, a: { b: 1 } }, { properties: { a: closed({}) } })).toContain(
    '“a.b” is no argument',
  );
});

test('the contract’s own arguments of a tool need no definition', () => {
  const schema = closed({ payload: {} });
  expect(undeclaredIn({ payload: {}, confirmed: true, note: 'x' }, schema, isCommitMember)).toEqual([
    { path: 'note', isForbidden: true },
  ]);
});
