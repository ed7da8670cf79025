import { expect, test } from 'vitest';
import { parseStrictJson } from '#shared/errors/index.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';
import { callOf, createAgentWorld } from './agent-world.ts';

/** JSON that reordering, escaping or rounding would change if it was parsed and written again. */
const awkward = {
  '10': 'a',
  '9': 'b',
  b: [1.5e-7, 1e21, 0.1, -0],
  a: { '1': '\u2028 " \\ \u007f €', '01': '' },
  idempotencyKey: 'key of the agent',
};

test('arguments are sent as the canonical bytes that were shown', async () => {
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

test('an argument that the canonical form cannot represent is refused with its path', async () => {
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
