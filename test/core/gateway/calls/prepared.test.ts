import { expect, test } from 'vitest';
import type { PreparedBody, PreparedMemory } from '#core/gateway/calls/prepared.ts';
import { findPrepared, keepPrepared, withPayload } from '#core/gateway/calls/prepared.ts';
import type { AppError } from '#shared/errors/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';

function memory(): PreparedMemory {
  const kept = new Map<string, PreparedBody>();
  return {
    keep: ({ agentId, approvalId, ...body }) => void kept.set(`${agentId} ${approvalId}`, body),
    find: (agentId, approvalId) => kept.get(`${agentId} ${approvalId}`) ?? null,
  };
}

/** The remembered change of an approval after a prepare with this answer. */
function known(answer: JsonObject, approvalId = 'id-1', agentId = 'a') {
  const mine = memory();
  const call = { tool: 'svc_prepare_task', args: { id: 't' } };
  keepPrepared(answer, { memory: mine, agentId: 'a', call, nowMs: 1_000 });
  return findPrepared({ approvalId }, { memory: mine, agentId });
}

const data = {
  approval: { id: 'id-1', fingerprint: 'f', expiresAt: '2030-01-01T00:00:00Z' },
  payload: { cid: 1 },
  diff: [{ field: 'name' }],
};

test('a preparation is remembered with its payload, fingerprint, changes and the call that made it', () => {
  expect(known({ structuredContent: { data } })).toEqual({
    fingerprint: 'f',
    change: {
      payload: { cid: 1 },
      changes: ['name'],
      endsAtMs: Date.parse('2030-01-01T00:00:00Z'),
      call: { tool: 'svc_prepare_task', args: { id: 't' } },
    },
  });
});

test.each<[string, JsonObject]>([
  ['without an end time', { structuredContent: { data: { ...data, approval: { id: 'id-1' } } } }],
  ['without a payload', { structuredContent: { data: { approval: data.approval } } }],
  ['with the approval as text', { structuredContent: { approval: 'id-1' } }],
  ['with the approval under another name', { structuredContent: { data: [{ approval_id: 'id-1' }] } }],
  ['in plain text only', { content: [{ type: 'text', text: JSON.stringify({ approvalId: 'id-1' }) }] }],
])(
  'a preparation with an answer of another shape is remembered by its approval alone: %s',
  (_what, answer) => {
    expect(known(answer)).toEqual({ fingerprint: null, change: null });
  },
);

test.each<[string, JsonObject, string?, string?]>([
  ['a refusal', { isError: true, structuredContent: { data } }],
  ['another approval id', { structuredContent: { data } }, 'id-2'],
  ['another agent’s approval', { structuredContent: { data } }, 'id-1', 'b'],
  ['an answer in plain text', { content: [{ type: 'text', text: 'approvalId: id-1' }] }],
  [
    'an approval that is nested too deeply',
    { structuredContent: { a: { b: { c: { d: { e: { approvalId: 'id-1' } } } } } } },
  ],
  ['a name of a prototype member', { structuredContent: {} }, '__proto__'],
])('no preparation is found for %s', (_what, answer, approvalId, agentId) => {
  expect(known(answer, approvalId, agentId)).toBeNull();
});

test('a preparation stored by an earlier version without its call is still found', () => {
  const kept = { tool: 'svc_prepare_task', body: '{"payload":{"x":1}}', expiresAtMs: 5 };
  const old: PreparedMemory = { keep: () => {}, find: () => kept };
  expect(findPrepared({ approvalId: 'id-1' }, { memory: old, agentId: 'a' })?.change).toEqual({
    payload: { x: 1 },
    changes: null,
    endsAtMs: 5,
    call: null,
  });
});

test('a payload from which a token was removed is refused, because the mark would be written to the campaign', () => {
  const change = {
    payload: { clickurl: 'https://a.example/?t=[token removed]' },
    changes: null,
    endsAtMs: 5,
    call: null,
  };
  const denied = expect.objectContaining({ code: 'dlp_denied' }) as AppError;
  expect(() => withPayload({ approvalId: 'id-1' }, { fingerprint: null, change })).toThrow(denied);
  const whole = { ...change, payload: { clickurl: 'https://a.example/' } };
  expect(withPayload({ approvalId: 'id-1' }, { fingerprint: null, change: whole })).toHaveProperty(
    'payload',
    whole.payload,
  );
});
