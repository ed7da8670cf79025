import { expect, test } from 'vitest';
import {
  argumentAt,
  decodeHeaderText,
  encodeHeaderText,
  nameIn,
  parameterHeadersIn,
} from '#core/platform/mcp-envelope.ts';

test.each(['svc_whoami', 'svc://tést', ' led by a space', 'two\nlines', '', '=?base64?ZWNobw==?='])(
  'a header encodes and decodes the text %j',
  (text) => {
    const value = encodeHeaderText(text);
    expect(value).toMatch(/^[\x21-\x7e]+$/);
    expect(decodeHeaderText(value)).toBe(text);
  },
);

test.each([
  ['Base64 without padding', '=?base64?ZWNobw?='],
  ['Base64 with a character of another alphabet', '=?base64?ZWNob-==?='],
  ['bytes that are no UTF-8', '=?base64?/w==?='],
])('a header with %s is not read', (_title, value) => {
  expect(decodeHeaderText(value)).toBeNull();
});

test('only a text parameter can name a request', () => {
  expect(nameIn('tools/call', { name: 'echo' })).toBe('echo');
  expect(nameIn('resources/read', { uri: 'svc://a', name: 'b' })).toBe('svc://a');
  expect(nameIn('tools/call', { name: 7 })).toBeNull();
  expect(nameIn('tools/list', { name: 'echo' })).toBeNull();
  expect(nameIn('constructor', { name: 'echo' })).toBeNull();
});

const region = { type: 'string', 'x-mcp-header': 'Region' };
const schemaOf = (properties: object) => JSON.parse(JSON.stringify({ type: 'object', properties }));

test('marked arguments are found in nested objects of any depth', () => {
  const schema = schemaOf({ plain: { type: 'string' }, at: { type: 'object', properties: { region } } });
  expect(parameterHeadersIn(schema)).toEqual({
    headers: [{ path: ['at', 'region'], header: 'Mcp-Param-Region' }],
    areAllowed: true,
  });
});

test.each([
  ['of an object', { value: { type: 'object', 'x-mcp-header': 'Value' } }],
  ['without a name', { value: { type: 'string', 'x-mcp-header': '' } }],
  ['in the items of a list', { value: { type: 'array', items: region } }],
  ['with the name of another mark', { value: region, other: { ...region, 'x-mcp-header': 'REGION' } }],
])(
  'a schema with a mark %s is not allowed, and the server still checks its valid marks',
  (_title, properties) => {
    const { headers, areAllowed } = parameterHeadersIn(
      schemaOf({ region: { ...region, 'x-mcp-header': 'At' }, ...properties }),
    );
    expect(areAllowed).toBe(false);
    expect(headers).toContainEqual({ path: ['region'], header: 'Mcp-Param-At' });
  },
);

test('an argument is found only in its own parent object', () => {
  const header = (...path: string[]) => ({ path, header: 'Mcp-Param-A' });
  expect(argumentAt({ at: { region: 'eu' } }, header('at', 'region'))).toBe('eu');
  expect(argumentAt({ at: 'eu' }, header('at', 'region'))).toBeUndefined();
  expect(argumentAt({}, header('constructor'))).toBeUndefined();
  expect(argumentAt({}, header('at', 'toString'))).toBeUndefined();
});
