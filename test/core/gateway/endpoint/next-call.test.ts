import { expect, test } from 'vitest';
import { has } from '#test/servers/abilities.ts';
import { openPolicyPlace } from '#test/servers/policy-place.ts';
import { openEndpointWorld } from './endpoint-world.ts';

/** Reads campaigns without a session. Returns the status, and the code of a refusal. */
async function readAt(url: string, token: string): Promise<{ status: number; refusal?: string | null }> {
  const params = {
    name: 'svc_list_campaigns',
    arguments: {},
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'Reader', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  };
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': params.name,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  const text = await answer.text();
  if (answer.status !== 200) return { status: answer.status };
  // A slow answer comes as a stream.
  const { result } = JSON.parse(/^data: (.+)$/m.exec(text)?.[1] ?? text) as {
    result: { structuredContent: { error?: { code: string } } };
  };
  return { status: 200, refusal: result.structuredContent.error?.code ?? null };
}

test.runIf(has.modes)('a decision between two reads of an agent applies to the next read', async () => {
  const policyPlace = openPolicyPlace();
  const { world, url, enter } = await openEndpointWorld({ host: 'desktop', campaigns: 3, policyPlace });
  const { handlers } = world.core;
  const { tokens } = await enter();
  const read = () => readAt(url, tokens.access_token);
  const passed = { status: 200, refusal: null };
  expect(await read()).toEqual(passed);
  expect(await read()).toEqual(passed);

  await handlers['agents.freeze']({});
  expect(await read()).toEqual({ status: 200, refusal: 'agents_frozen' });
  await handlers['agents.thaw']({});
  expect(await read()).toEqual(passed);

  policyPlace.write('{"updates":"of"}');
  expect(await read()).toEqual({ status: 200, refusal: 'policy_unusable' });
  policyPlace.remove();
  expect(await read()).toEqual(passed);

  const { agents } = await handlers['agents.get']({});
  await handlers['agents.revoke']({ id: agents[0]?.id ?? '' });
  expect(await read()).toEqual({ status: 401 });
});
