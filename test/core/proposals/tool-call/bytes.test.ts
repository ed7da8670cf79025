import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertUntouched } from '#core/proposals/operations/fingerprint.ts';
import { parseStrictJson } from '#shared/errors/index.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';
import { readAccount } from '#test/servers/read-account.ts';
import { callOf, createAgentWorld, prepareBid } from './agent-world.ts';
import { runs } from '#test/setup/property-runs.ts';

/** Whatever JSON reads anew in another order, escapes or rounds. */
const awkward = {
  '10': 'a',
  '9': 'b',
  b: [1.5e-7, 1e21, 0.1, -0],
  a: { '1': '\u2028 " \\ \u007f €', '01': '' },
  idempotencyKey: 'key of the agent',
};

test('arguments that another writing would reorder leave as the canonical bytes that were shown', async () => {
  const world = await createAgentWorld();
  const { id } = await world.gate.agents.propose(callOf('svc_any', awkward));
  const { payload } = await world.approve(id);
  expect(payload).toBe(canonicalJson({ name: 'svc_any', arguments: awkward }));
  const [sent = ''] = world.wire.callsOf('svc_any');
  expect(sent).toContain(`"arguments":${canonicalJson(awkward)}`);
  expect(sent).toContain('"idempotencyKey":"key of the agent"');
  expect(parseStrictJson(sent)).toMatchObject({
    method: 'tools/call',
    params: { name: 'svc_any', arguments: JSON.parse(JSON.stringify(awkward)) as JsonObject },
  });
});

test('what the canonical form cannot carry is refused, with its path', async () => {
  const world = await createAgentWorld();
  const { agents } = world.gate;
  const deep = JSON.parse(`${'['.repeat(70)}${']'.repeat(70)}`) as JsonValue;
  await expect(agents.propose(callOf('svc_any', { deep }))).rejects.toMatchObject({ code: 'json_too_deep' });
  await expect(agents.propose(callOf('svc_any', { x: [{ broken: '\ud800' }] }))).rejects.toMatchObject({
    code: 'json_lone_surrogate',
    message: expect.stringContaining('x[0].broken'),
  });
  const polluted = JSON.parse('{"a":{"__proto__":1}}') as JsonObject;
  await expect(agents.propose(callOf('svc_any', polluted))).rejects.toMatchObject({
    code: 'json_forbidden_key',
  });
});

test('any change of payload, base, tool or agent after the fingerprint stops the send', async () => {
  const world = await createAgentWorld();
  const { request } = await prepareBid(world);
  const { id } = await world.gate.agents.propose(request);
  const stored = world.store.proposals.find(id);
  if (stored === null) throw new Error('It was proposed');
  expect(() => assertUntouched(stored)).not.toThrow();
  const stops = (change: Partial<typeof stored>): void =>
    expect(() => assertUntouched({ ...stored, ...change })).toThrow(
      expect.objectContaining({ code: 'fingerprint_mismatch' }),
    );
  const digit = fc.integer({ min: 0, max: 9 }).map(String);
  const character = fc.oneof(digit, fc.constantFrom('a', 'f', '"', ' ', '}'));
  for (const part of ['payload', 'base'] as const) {
    const text = stored[part];
    fc.assert(
      fc.property(fc.nat(text.length - 1), character, (at, other) => {
        fc.pre(text[at] !== other);
        stops({ [part]: text.slice(0, at) + other + text.slice(at + 1) });
      }),
      runs(100),
    );
  }
  const { tool, ...base } = parseStrictJson(stored.base) as JsonObject;
  const definitionHash = 'b'.repeat(64);
  stops({ base: canonicalJson({ ...base, tool: { ...(tool as JsonObject), definitionHash } }) });
  stops({ proposedBy: { ...stored.proposedBy, agentId: 'agent-2' } });
  stops({ targets: [...stored.targets, 1] });
});

test('confirmed:true from an agent is evidence of nothing: without a decision, nothing is sent', async () => {
  const world = await createAgentWorld();
  const { request } = await prepareBid(world);
  const before = await readAccount(world.connection.member);
  const { id, payload } = await world.gate.agents.propose(request);
  await world.gate.agents.propose({ ...request, args: { ...request.args, confirmed: true } });
  await world.gate.review(id);
  world.clock.advance(5 * 60_000);
  expect(await readAccount(world.connection.member)).toEqual(before);
  expect(world.wire.callsOf('svc_commit')).toEqual([]);
  // It becomes true by the person who confirms, and is shown as what will be sent.
  const unconfirmed = { ...request.args, confirmed: false, idempotencyKey: 'another' };
  const asked = await world.gate.agents.propose({ ...request, args: unconfirmed });
  expect(payload).toContain('"confirmed":true');
  expect(asked.payload).toContain('"confirmed":true');
});
