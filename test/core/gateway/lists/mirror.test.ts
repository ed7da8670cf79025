import { expect, onTestFinished, test } from 'vitest';
import { definitionOf, openEndpoint, type EndpointSetup } from '#test/core/mcp-server/open-endpoint.ts';
import { silence, startFakeMcp } from '#test/core/service-client/remote/fake-mcp.ts';
import { createManualClock, type ManualClock } from '#test/servers/manual-clock.ts';
import { openSurface, profileId, until, type SurfaceWorld } from '../surface-world.ts';

/** Opens a surface for a service whose lists the test changes, with a clock that the test advances. */
interface Before {
  lists: { tools: string[]; resources: string[]; prompts: string[] };
  /** The methods of the requests to the service. */
  asked: string[];
  service: { emitChanged(): void; stop(): Promise<void>; start(): Promise<void> };
  clock: ManualClock;
  world: SurfaceWorld;
}

async function open(): Promise<Before> {
  const lists = { tools: ['svc_whoami'], resources: ['test://one'], prompts: ['greet'] };
  const asked: string[] = [];
  const setup: EndpointSetup = {
    parts: {
      admit: (_caller, { method }) => void asked.push(method),
      listTools: () => lists.tools.map(definitionOf),
      listResources: () => lists.resources.map((uri) => ({ uri, name: uri })),
      listPrompts: () => lists.prompts.map((name) => ({ name })),
      callTool: async () => ({ content: [] }),
    },
  };
  let running = await openEndpoint(setup);
  onTestFinished(() => running.dispose());
  const clock = createManualClock();
  const { origin, port } = new URL(running.url);
  return {
    lists,
    asked,
    clock,
    world: await openSurface(origin, { clock }),
    service: {
      emitChanged: () => running.mcp.listsChanged(() => true),
      stop: () => running.dispose(),
      async start() {
        running = await openEndpoint({ ...setup, port: Number(port) });
      },
    },
  };
}

const offered = ({ world }: Before): string[] => world.pins.offered(profileId).map(({ name }) => name);
const listings = ({ asked }: Before): number => asked.filter((method) => method === 'tools/list').length;

test('a service is listed once, however many agents connect and however often they ask', async () => {
  const before = await open();
  const agents = await Promise.all(['a', 'b', 'c'].map((token) => before.world.agent(token)));
  for (const { client } of agents) await client.listTools();
  expect(listings(before)).toBe(1);
  before.clock.advance(4 * 60_000);
  await agents[0]?.client.listTools();
  expect(listings(before)).toBe(1);
});

test('lists older than five minutes are read again while agents continue', async () => {
  const before = await open();
  const { client } = await before.world.agent();
  before.lists.tools.push('svc_get_campaign');
  before.lists.prompts = [];
  before.clock.advance(5 * 60_000 + 1);
  await client.listTools();
  await until(() => listings(before) === 2);
  await until(() => before.world.pins.views(profileId).tools.length === 2);
  expect((await client.listPrompts()).prompts).toEqual([]);
});

test('changes at the service are reported to its agents, once for several changes', async () => {
  const before = await open();
  const agent = await before.world.agent();
  await agent.client.listTools();
  await agent.client.listResources();
  before.lists.resources.push('test://two');
  before.lists.tools = [];
  await until(() => {
    before.service.emitChanged();
    before.clock.advance(2_000);
    return agent.reported.resources > 0 && agent.reported.tools > 0;
  });
  expect((await agent.client.listResources()).resources.map(({ uri }) => uri)).toEqual([
    'test://one',
    'test://two',
  ]);
  const { tools } = await agent.client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['countersign_await', 'countersign_note']);
  expect(agent.reported).toEqual({ tools: 1, resources: 1, prompts: 0 });
});

test('a service that keeps reporting changed lists is listed every two seconds at most', async () => {
  const before = await open();
  const agent = await before.world.agent();
  const listed = listings(before);
  for (let turn = 0; turn < 20; turn += 1) {
    before.lists.tools = ['svc_whoami', `tool_${turn}`];
    before.service.emitChanged();
    before.clock.advance(100);
    await agent.call('svc_whoami');
  }
  expect(listings(before) - listed).toBeLessThanOrEqual(1);
  await until(() => {
    before.clock.advance(100);
    return before.world.pins.views(profileId).tools.some(({ name }) => name === 'tool_19');
  });
  expect(listings(before) - listed).toBeLessThanOrEqual(2);
});

test('agents keep their lists during an outage of the service, and calls report the outage', async () => {
  const before = await open();
  const agent = await before.world.agent();
  await before.service.stop();
  before.clock.advance(5 * 60_000 + 1);
  const { tools } = await agent.client.listTools();
  expect(tools.map(({ name }) => name)).toContain('svc_whoami');
  expect((await agent.client.listPrompts()).prompts).toHaveLength(1);
  const away = await agent.call('svc_whoami');
  expect(away.isError).toBe(true);
  before.lists.prompts.push('more');
  await before.service.start();
  // An attempt that began while the service was unreachable may still be running.
  while ((await agent.call('svc_whoami')).isError === true);
  await until(() => {
    before.clock.advance(1_000);
    return agent.reported.prompts > 0;
  });
  expect((await agent.client.listPrompts()).prompts).toHaveLength(2);
});

test('an agent that connects during an outage of the service gets the pinned tools and waits only once', async () => {
  const before = await open();
  await before.world.agent('first');
  await before.service.stop();
  before.world.renew();
  const { client } = await before.world.agent('second');
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('svc_whoami');
  before.lists.resources = ['test://back'];
  await before.service.start();
  await until(() => {
    before.clock.advance(1_000);
    return listings(before) === 2;
  });
});

test('all callers together wait five seconds for a service that does not answer its first listing', async () => {
  const { clock, world } = await open();
  const silent = await startFakeMcp({ 'tools/list': silence });
  world.renew(silent.mcpUrl);
  const coming = world.agent();
  await silent.came('tools/list');
  // The surface may not have begun to wait yet.
  const advancing = setInterval(() => clock.advance(1_000), 5);
  onTestFinished(() => clearInterval(advancing));
  const { client } = await coming;
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['countersign_await', 'countersign_note']);
});

test('an edited profile is listed from its new service, and late answers of the old service are ignored', async () => {
  const before = await open();
  const agent = await before.world.agent();
  const other = await openEndpoint({
    parts: { listTools: () => [definitionOf('svc_whoami')], listPrompts: () => [{ name: 'other' }] },
  });
  onTestFinished(() => other.dispose());
  before.world.renew(new URL(other.url).origin);
  expect((await agent.client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['other']);
  before.lists.prompts = ['late'];
  before.service.emitChanged();
  before.clock.advance(60_000);
  await agent.client.listTools();
  expect((await agent.client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['other']);
  expect(offered(before)).toEqual(['svc_whoami']);
});

test('the lists of an earlier service are not used during an outage of the new one', async () => {
  const before = await open();
  const agent = await before.world.agent();
  expect((await agent.client.listResources()).resources).toHaveLength(1);
  await before.service.stop();
  before.world.renew();
  expect((await agent.client.listResources()).resources).toHaveLength(1);
  before.world.renew('http://127.0.0.1:9');
  expect((await agent.client.listResources()).resources).toEqual([]);
});

test('a tool with the name of one of Countersign’s tools is not offered and cannot be called', async () => {
  const before = await open();
  before.lists.tools = ['countersign_await', 'svc_whoami'];
  const agent = await before.world.agent();
  const { tools } = await agent.client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['svc_whoami', 'countersign_await', 'countersign_note']);
  expect(await agent.call('countersign_await', { proposalId: 'x' })).toMatchObject({ isError: true });
  expect(before.asked).not.toContain('tools/call');
});
