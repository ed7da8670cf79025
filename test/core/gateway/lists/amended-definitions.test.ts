import { expect, test } from 'vitest';
import { amended } from '#core/agents/tool-pins/tool-policy.ts';
import { hashedDefinition } from '#core/agents/tool-pins/definitions.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { connect, openWithAgent, proposals, textOf, waiting } from '../admission/admitted-agent.ts';

test('agents read that Countersign asks the person, and the pin shows the original and the amended definition', async () => {
  const { world, agent } = await openWithAgent();
  const { tools } = await agent.client.listTools();
  const listed = tools.filter(({ name }) => /^svc_(prepare_|commit$)/.test(name));
  expect(listed).toHaveLength(6);
  for (const { name, description, inputSchema } of listed) {
    // If a definition of the embedded service changes, tool-policy.ts needs its new hash.
    expect([name, description]).toEqual([name, expect.stringMatching(/Countersign asks|Asks a person/)]);
    expect(JSON.stringify([description, inputSchema])).not.toMatch(/confirmed|to a person; only/);
  }
  expect(tools.find(({ name }) => name === 'svc_commit')?.inputSchema.required).not.toContain('payload');
  const views = await world.core.handlers['agents.tools']({ profileId: 'demo' });
  const commit = views.tools.find(({ name }) => name === 'svc_commit');
  expect(commit?.amendment?.map(({ part }) => part)).toEqual(['description', 'inputSchema']);
  expect(commit?.amendment?.[1]).toMatchObject({
    before: expect.stringContaining('confirmed') as string,
    after: expect.not.stringContaining('confirmed') as string,
  });
  expect(views.tools.find(({ name }) => name === 'svc_get_campaign')?.amendment).toBeNull();
});

test('the prompts of the embedded service do not say who asks the person', async () => {
  const { agent, cid } = await openWithAgent();
  const askFor: [name: string, args: Record<string, string>][] = [
    ['review_campaign', { cid: String(cid) }],
    ['pause_losers', {}],
  ];
  for (const [name, args] of askFor) {
    const { messages } = await agent.client.getPrompt({ name, arguments: args });
    const text = JSON.stringify(messages);
    expect(text).toContain('as the description of that tool says');
    expect(text).not.toMatch(/show me the diff|confirmed|agreed/i);
  }
});

test('an unknown definition is listed as the service sent it', async () => {
  const { agent } = await openWithAgent();
  const { tools } = await agent.client.listTools();
  const commit = tools.find(({ name }) => name === 'svc_commit') as unknown as JsonObject;
  for (const change of [{}, { title: 'Commit' }, { description: 'Confirmed must be true.' }]) {
    const other = { ...commit, ...change };
    expect(amended(hashedDefinition(other).hash, other)).toBeNull();
  }
});

test('a commit without its payload is shown and sent as prepared, and equals a commit with the payload', async () => {
  const { world, agent, cid } = await openWithAgent();
  const { payload, ...args } = await agent.prepare(cid, 'key-1');
  const call = agent.call('svc_commit', args);
  const { id, detail } = await waiting(world);
  expect(detail).toMatchObject({ known: 'update', prepared: true });
  const same = agent.call('svc_commit', { ...args, payload });
  await world.approve(await world.look(id));
  expect((await call).structuredContent).toMatchObject({
    countersign: { verdict: 'verified', proposalId: id },
  });
  expect((await same).structuredContent).toEqual((await call).structuredContent);
  expect((await world.other.get(cid)).edit.campaign).toMatchObject({ name: 'Other' });
});

test('a commit without its payload is refused if its approval is unknown, belongs to another agent or is about to expire', async () => {
  const { endpointWorld, world, agent, cid } = await openWithAgent();
  const { payload: _payload, ...args } = await agent.prepare(cid, 'key-1');
  expect(textOf(await agent.call('svc_commit', { ...args, approvalId: 'made-up' }))).toContain(
    'did not see this approval',
  );
  expect(textOf(await agent.call('svc_commit', { ...args, fingerprint: 'other' }))).toContain('fingerprint');
  const { approvalId: _id, ...without } = args;
  expect((await agent.call('svc_commit', without)).isError).toBe(true);
  const { tokens } = await endpointWorld.enter({ client_name: 'Other' });
  const other = await connect(endpointWorld, tokens.access_token);
  expect(textOf(await other.call('svc_commit', args))).toContain('did not see this approval');
  // Five seconds before the end of the approval: the access token ends at the same time.
  world.clock.advance(10 * 60_000 - 5_000);
  expect(textOf(await agent.call('svc_commit', args))).toContain('ends before a person could decide');
  expect(await proposals(world, 'waiting')).toEqual([]);
});
