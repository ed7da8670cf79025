import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CommitAttempt, rejectChangedPayload } from '#core/backend/operations/commit-checks.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import { isJsonObject, jsonEqual, type JsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';

function attempt(prepared: JsonObject, sent: JsonObject): CommitAttempt {
  const approval = { payload: canonicalJson(prepared), fingerprint: 'f' };
  return { approval, request: { payload: sent, fingerprint: 'f' } } as unknown as CommitAttempt;
}

function turned(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(turned);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).toReversed();
  return Object.fromEntries(entries.map(([key, member]) => [key, turned(member)]));
}

const payloads = fc
  .dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true })
  .map((payload) => JSON.parse(JSON.stringify(payload)) as JsonObject);

test('an approval ignores the order of keys', () => {
  fc.assert(
    fc.property(payloads, (payload) => rejectChangedPayload(attempt(payload, turned(payload) as JsonObject))),
  );
});

test('an approval refuses any other value in the payload', () => {
  fc.assert(
    fc.property(payloads, fc.string(), fc.jsonValue(), (payload, key, value) => {
      const sent = { ...payload, [key]: JSON.parse(JSON.stringify(value)) as JsonValue };
      fc.pre(!jsonEqual(sent, payload));
      expect(() => rejectChangedPayload(attempt(payload, sent))).toThrow('is not the prepared one');
    }),
  );
});
