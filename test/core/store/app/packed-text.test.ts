import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packText, unpackText } from '#core/store/app/packed-text.ts';
import { runs } from '#test/setup/property-runs.ts';

const text = '{"cid":7,"name":"Été","payout":0.25,"status":1,"geo_enabled":0}';

test.each([
  ['this', 'gy59MIcbeLiz5PBKJeSSD5TSkQoU1AqjFgA='],
  [
    'an earlier, which had no dictionary',
    'q1ZKzkxRsjLXUcpLzE1VslI63FlyeKWSjlJBYmV+aYmSlYGekamOUnFJYklpsZKVoY5Semp+fGpeYlJOKlCfQS0A',
  ],
])('a text that a build like %s one stored is read', (_build, packed) => {
  expect(unpackText(Buffer.from(packed, 'base64'))).toBe(text);
});

test('every JSON text comes back letter by letter', () => {
  const property = fc.property(fc.json(), (json) => {
    expect(unpackText(packText(json))).toBe(json);
  });
  fc.assert(property, runs(500));
});

test('bytes that are no such text are no text', () => {
  expect(() => unpackText(Buffer.from('no text'))).toThrow();
});
