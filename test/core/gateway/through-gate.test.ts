import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { expect, onTestFinished, test } from 'vitest';
import type { ProposalView } from '#shared/app-api/index.ts';
import type { World } from '#test/core/proposals/world.ts';
import { changeElsewhere, findCampaign } from '#test/core/proposals/world.ts';
import { behindDoor, openDoorWorld, type DoorWorld } from './door-world.ts';
import { until } from './surface-world.ts';

/** An agent that was let in, on the real gate and the embedded service. */
interface Agent {
  transport: StreamableHTTPClientTransport;
  client: Client;
  call(name: string, args: Record<string, unknown>, signal?: AbortSignal): Promise<CallToolResult>;
  /** Prepares another name for a campaign; gives what the commit takes. */
  prepare(cid: number, key: string): Promise<Record<string, unknown>>;
}

async function connect({ url }: DoorWorld, token: string): Promise<Agent> {
  const client = new Client({ name: 'agent', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  const call: Agent['call'] = async (name, args, signal) =>
    (await client.callTool(
      { name, arguments: args },
      undefined,
      signal === undefined ? {} : { signal },
    )) as CallToolResult;
  return {
    transport,
    client,
    call,
    async prepare(cid, idempotencyKey) {
      const { structuredContent } = await call('svc_prepare_campaign_update', {
        cid,
        changes: { name: 'Other' },
      });
      const { data } = structuredContent as {
        data: { approval: { id: string; fingerprint: string }; payload: unknown };
      };
      const { id: approvalId, fingerprint } = data.approval;
      return { approvalId, fingerprint, payload: data.payload, idempotencyKey };
    },
  };
}

async function open(): Promise<{ door: DoorWorld; world: World; agent: Agent; token: string; cid: number }> {
  const door = await openDoorWorld();
  const { tokens } = await door.enter();
  const agent = await connect(door, tokens.access_token);
  const { cid } = await findCampaign(door.world, ({ status }) => status === 1);
  return { door, world: door.world, agent, token: tokens.access_token, cid };
}

const textOf = ({ content }: CallToolResult): string =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');

/** The proposals of agents, newest first, decided or not. */
async function proposals({ core }: World, which: 'waiting' | 'past'): Promise<ProposalView[]> {
  const { items } = await core.handlers['proposals.list']({ which, before: null, limit: 50 });
  const calls = items.filter(({ operation }) => operation === 'tool.call');
  return Promise.all(calls.map(({ id }) => core.handlers['proposals.get']({ id })));
}

/** The newest one in this list, once it is there. */
async function newest(world: World, which: 'waiting' | 'past'): Promise<ProposalView> {
  for (;;) {
    const [found] = await proposals(world, which);
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const waiting = (world: World): Promise<ProposalView> => newest(world, 'waiting');

test('a commit waits for a person, is written once, and answered by the service with our verdict', async () => {
  const { world, agent, cid } = await open();
  await agent.call('countersign_note', { text: 'The old name says nothing.' });
  const args = await agent.prepare(cid, 'key-1');
  const commit = agent.call('svc_commit', args);
  const proposal = await waiting(world);
  expect(proposal).toMatchObject({
    quotation: 'The old name says nothing.',
    detail: { kind: 'tool', name: 'svc_commit', known: 'update', prepared: true },
  });
  expect((await world.other.get(cid)).edit.campaign).not.toHaveProperty('name', 'Other');
  await world.approve(await world.look(proposal.id));
  const result = await commit;
  expect(result.isError, textOf(result)).toBeFalsy();
  expect(result.structuredContent).toMatchObject({ status: 'success', data: { status: 'completed' } });
  expect(textOf(result)).toContain('reading it back found what was approved');
  expect(result._meta).toMatchObject({
    'countersign/verdict': { proposalId: proposal.id, state: 'verified' },
  });
  expect((await world.other.get(cid)).edit.campaign).toHaveProperty('name', 'Other');
  // The same key again: the same answer, and nothing is written or asked.
  expect(await agent.call('svc_commit', args)).toEqual(result);
  expect(await proposals(world, 'waiting')).toEqual([]);
});

test('a person’s reason reaches the agent, and a campaign that moved asks it to prepare again', async () => {
  const { world, agent, cid } = await open();
  const denied = agent.call('svc_commit', await agent.prepare(cid, 'key-1'));
  await world.deny(await world.look((await waiting(world)).id), 'Wait for Monday');
  expect(textOf(await denied)).toContain('The reason: “Wait for Monday”.');
  const stale = agent.call('svc_commit', await agent.prepare(cid, 'key-2'));
  const showing = await world.look((await waiting(world)).id);
  await changeElsewhere(world, cid, { name: 'Theirs' });
  await world.approve(showing);
  const result = await stale;
  expect(result.isError).toBe(true);
  expect(textOf(result)).toContain('Nothing was sent.');
  expect((await world.other.get(cid)).edit.campaign).toHaveProperty('name', 'Theirs');
});

test('of two calls with one key the first that leaves leaves the proposal to the other, the last takes it along', async () => {
  const { world, agent, cid } = await open();
  const args = await agent.prepare(cid, 'key-1');
  const [first, second] = [new AbortController(), new AbortController()];
  agent.call('svc_commit', args, first.signal).catch(() => {});
  await waiting(world);
  let isSecondThere = false;
  agent.call('svc_commit', args, second.signal).catch(() => {});
  agent.call('svc_whoami', {}).then(
    () => (isSecondThere = true),
    () => {},
  );
  await until(() => isSecondThere);
  first.abort();
  await agent.call('svc_whoami', {});
  expect(await proposals(world, 'waiting')).toHaveLength(1);
  second.abort();
  expect(await newest(world, 'past')).toMatchObject({ state: 'withdrawn' });
});

test('after its receipt a proposal outlives a restart, and its agent learns what became of it', async () => {
  const { world, agent, cid, token } = await open();
  const commit = agent.call('svc_commit', await agent.prepare(cid, 'key-1'));
  const { id } = await waiting(world);
  world.clock.advance(45_000);
  expect(textOf(await commit)).toContain(
    `Not executed: waiting for confirmation by a person. Proposal ${id}.`,
  );
  await agent.client.close();
  const again = await world.restart();
  const door = await behindDoor(again);
  const back = await connect(door, token);
  const answer = back.call('countersign_await', { proposalId: id });
  await again.approve(await again.look(id));
  expect(textOf(await answer)).toContain('reading it back found what was approved');
  const stranger = await connect(door, (await door.enter()).tokens.access_token);
  expect(textOf(await stranger.call('countersign_await', { proposalId: id }))).toContain('no such proposal');
});

test('an agent that ends its session withdraws what it has a receipt for; confirmed:true alone writes nothing', async () => {
  const { world, agent, cid } = await open();
  const before = (await world.other.get(cid)).edit.campaign;
  const commit = agent.call('svc_commit', { ...(await agent.prepare(cid, 'key-1')), confirmed: true });
  await waiting(world);
  world.clock.advance(45_000);
  expect((await commit).isError).toBe(true);
  await agent.transport.terminateSession();
  expect(await newest(world, 'past')).toMatchObject({ state: 'withdrawn' });
  expect((await world.other.get(cid)).edit.campaign).toEqual(before);
});
