import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packText, unpackText } from '#core/store/app/packed-text.ts';
import { runs } from '#test/setup/property-runs.ts';

const text = '{"cid":7,"name":"Été","payout":0.25,"status":1,"geo_enabled":0}';

test.each([
  ['this', 'gy59MIcbeLiz5PBKJeSSD5TSkQoU1AqjFgA='],
  [
    'an earlier, without a dictionary,',
    'q1ZKzkxRsjLXUcpLzE1VslI63FlyeKWSjlJBYmV+aYmSlYGekamOUnFJYklpsZKVoY5Semp+fGpeYlJOKlCfQS0A',
  ],
])('a text stored by a build like %s one can be read', (_build, packed) => {
  expect(unpackText(Buffer.from(packed, 'base64'))).toBe(text);
});

test('every JSON text is packed and unpacked without loss', () => {
  const property = fc.property(fc.json(), (json) => {
    expect(unpackText(packText(json))).toBe(json);
  });
  fc.assert(property, runs(500));
});

test('bytes that are not a packed text are refused', () => {
  expect(() => unpackText(Buffer.from('no text'))).toThrow();
});
