import { createHash } from 'node:crypto';
import { baseText } from '#core/proposals/operations/tool-call/stored-parts.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  assertUntouched,
  fingerprintOf,
  type Fingerprinted,
} from '#core/proposals/operations/fingerprint.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import type { JsonValue } from '#shared/lib/json/json-value.ts';
import { runs } from '#test/setup/property-runs.ts';

const example: Fingerprinted = {
  operation: 'campaign.update',
  targets: [1042],
  payload: '{"cid":1042,"payout":0.45}',
  base: '{"campaign":{"cid":1042,"payout":0.045}}',
  rebase: null,
  proposedBy: { kind: 'person', name: 'You', sinceMs: null, agentId: null },
  profile: { id: 'demo', name: 'Northwind Media', kind: 'demo', account: '7', zone: 'UTC' },
  expiresAtMs: 1_780_000_000_000,
  nonce: 'bm9uY2U',
};

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

test('the fingerprint is the SHA-256 of the documented form and can be recomputed by hand', () => {
  const form =
    `{"baseHash":"${sha256(example.base)}","expiresAtMs":1780000000000,"nonce":"bm9uY2U","operation":"campaign.update",` +
    '"payload":{"cid":1042,"payout":0.45},"principal":"7","profile":"demo",' +
    '"proposedBy":{"agentId":null,"kind":"person","name":"You","sinceMs":null},"target":[1042],"toolDefinitionHash":null,"volatile":[]}';
  expect(fingerprintOf(example)).toBe(sha256(form));
});

test('the fingerprint of a tool call covers the pinned definition of the tool', () => {
  const tool = { name: 'svc_x', title: null, definitionHash: 'd'.repeat(64) };
  const base = baseText({
    tool,
    approvalEndsAtMs: null,
    preparation: null,
    preparedDifferently: [],
    subject: { kind: 'arguments' },
    undeclared: [],
    notCompared: [],
    task: null,
  });
  const payload = canonicalJson({ name: 'svc_x', arguments: { a: 1 } });
  const form =
    `{"baseHash":"${sha256(base)}","expiresAtMs":1780000000000,"nonce":"bm9uY2U","operation":"tool.call",` +
    `"payload":${payload},"principal":"7","profile":"demo",` +
    '"proposedBy":{"agentId":null,"kind":"person","name":"You","sinceMs":null},' +
    `"target":[],"toolDefinitionHash":"${tool.definitionHash}","volatile":[]}`;
  expect(fingerprintOf({ ...example, operation: 'tool.call', targets: [], payload, base })).toBe(
    sha256(form),
  );
});

describe('a fingerprint', () => {
  test('ignores key order and the spelling of numbers', () => {
    const same = fingerprintOf({ ...example, payload: '{ "payout": 4.5e-1, "cid": 1042.0 }' });
    expect(same).toBe(fingerprintOf(example));
  });

  test.each<[string, Partial<Fingerprinted>]>([
    ['operation', { operation: 'campaign.status' }],
    ['target', { targets: [1043] }],
    ['number of targets', { targets: [1042, 1043] }],
    ['payload', { payload: '{"cid":1042,"payout":0.451}' }],
    ['base', { base: '{"campaign":{"cid":1042,"payout":0.046}}' }],
    ['profile', { profile: { ...example.profile, id: 'live' } }],
    ['account', { profile: { ...example.profile, account: '8' } }],
    ['proposer', { proposedBy: { ...example.proposedBy, kind: 'agent' } }],
    ['agent', { proposedBy: { ...example.proposedBy, agentId: 'agent-2' } }],
    ['field that is not compared', { rebase: { of: '1', round: 2, moved: [], volatile: ['name'] } }],
    ['expiry', { expiresAtMs: example.expiresAtMs + 1 }],
    ['nonce', { nonce: 'bm9uY2V' }],
  ])('changes with another %s', (_name, change) => {
    expect(fingerprintOf({ ...example, ...change })).not.toBe(fingerprintOf(example));
  });

  test.each([
    ['the same key twice', '{"cid":1042,"cid":1043,"payout":0.45}'],
    ['__proto__', '{"cid":1042,"payout":0.45,"__proto__":{}}'],
    ['an integer beyond 2^53', '{"cid":9007199254740993,"payout":0.45}'],
    ['a lone surrogate', '{"cid":1042,"name":"\\ud800"}'],
    ['excessive nesting', `{"cid":${'['.repeat(80)}${']'.repeat(80)}}`],
  ])('cannot be made of a payload with %s', (_name, payload) => {
    expect(() => fingerprintOf({ ...example, payload })).toThrow();
    expect(() => assertUntouched({ ...example, payload, fingerprint: fingerprintOf(example) })).toThrow(
      expect.objectContaining({ code: 'fingerprint_mismatch' }),
    );
  });
});

/** Any JSON value without the key that the strict parser refuses, which has a test above. */
const json = fc
  .jsonValue({ maxDepth: 3 })
  .map((value) => JSON.stringify(value))
  .filter((text) => !text.includes('"__proto__"'))
  .map((text) => JSON.parse(text) as JsonValue);

test('two payloads share a fingerprint exactly when they are equal as JSON values', () => {
  fc.assert(
    fc.property(json, json, (left, right) => {
      const same = canonicalJson(left) === canonicalJson(right);
      const fingerprint = (payload: JsonValue): string =>
        fingerprintOf({ ...example, payload: JSON.stringify(payload) });
      expect(fingerprint(left) === fingerprint(right)).toBe(same);
    }),
    runs(300),
  );
});

test('a payload that was replaced by any other text is not sent, even if both texts mean the same', () => {
  const sealed = { ...example, fingerprint: fingerprintOf(example) };
  expect(() => assertUntouched(sealed)).not.toThrow();
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        json.map((value) => JSON.stringify(value)),
        fc.constant(` ${example.payload}`),
      ),
      (payload) => {
        fc.pre(payload !== example.payload);
        expect(() => assertUntouched({ ...sealed, payload })).toThrow(
          expect.objectContaining({ code: 'fingerprint_mismatch' }),
        );
      },
    ),
    runs(300),
  );
});
