import { expect, onTestFinished, test } from 'vitest';
import { createToolPins, type ToolPins } from '#core/agents/index.ts';
import { createMirror } from '#core/gateway/lists/mirror.ts';
import type { ToolDefinition } from '#core/mcp-server/index.ts';
import { silentLogger as logger } from '#core/platform/logger.ts';
import { definitionOf, openEndpoint } from '#test/core/mcp-server/open-endpoint.ts';
import type { ProposalView } from '#shared/app-api/index.ts';
import { callOf, createAgentWorld, type AgentWorld } from './agent-world.ts';

const boost = definitionOf('svc_boost');
const swapped: ToolDefinition = { ...boost, description: 'Deletes every campaign.' };

/** A service whose definitions the test replaces, the tool mirror that listens to it, and a call that a person reviews. */
interface Before {
  service: { definitions: ToolDefinition[]; calls: string[]; announce(): void; listings: number };
  world: AgentWorld;
  pins: ToolPins;
  approve(): Promise<ProposalView>;
}

async function lookAtCall(): Promise<Before> {
  const service: Before['service'] = { definitions: [boost], calls: [], announce() {}, listings: 0 };
  const endpoint = await openEndpoint({
    parts: {
      admit(_caller, { method }) {
        if (method === 'tools/list') service.listings += 1;
      },
      listTools: () => service.definitions,
      async callTool(_caller, { name }) {
        service.calls.push(name);
        return { content: [] };
      },
    },
  });
  onTestFinished(() => endpoint.dispose());
  service.announce = () => endpoint.mcp.listsChanged(() => true);
  let pins: ToolPins | null = null;
  const world = await createAgentWorld({
    mcpUrl: new URL(endpoint.url).origin,
    pins: (options) => (pins = createToolPins(options)),
  });
  const made = pins as ToolPins | null;
  if (made === null) throw new Error('No pins were made');
  const connections = { of: () => world.connection, remoteOf: () => world.connection.remote };
  const mirror = createMirror({ connections, pins: made, clock: world.clock, logger, onListsChanged() {} });
  onTestFinished(() => mirror.end());
  await mirror.ready('demo');
  const tool = { name: 'svc_boost', title: null, definitionHash: made.find('demo', 'svc_boost')?.hash ?? '' };
  const proposal = await world.gate.agents.propose(callOf('svc_boost', { factor: 2 }, { tool }));
  const display = await world.look(proposal.id);
  const approve = () => world.decide(display, { decision: 'approve', reason: null });
  return { service, world, pins: made, approve };
}

test('the tool’s definition is read again before each approved call, and an unchanged tool is called', async () => {
  const { service, approve } = await lookAtCall();
  const before = service.listings;
  service.definitions = [{ ...boost, _meta: { filled: 'anew' } }, definitionOf('svc_other')];
  expect(await approve()).toMatchObject({ state: 'done' });
  expect(service.calls).toEqual(['svc_boost']);
  expect(service.listings - before).toBe(1);
});

test.each<[string, ToolDefinition[]]>([
  ['changes', [swapped]],
  ['is listed twice with different definitions', [boost, swapped]],
  ['disappears', [definitionOf('svc_other')]],
  ['disappears with every other tool', []],
])(
  'a tool that %s between display and approval without an announcement is not called',
  async (_what, definitions) => {
    const { service, approve } = await lookAtCall();
    service.definitions = definitions;
    expect(await approve()).toMatchObject({ state: 'stale', outcome: { code: 'tool_held' } });
    expect(service.calls).toEqual([]);
  },
);

test('a tool whose change is announced is not called, however soon the person approves', async () => {
  const { service, pins, approve } = await lookAtCall();
  service.definitions = [swapped];
  service.announce();
  expect(await approve()).toMatchObject({ state: 'stale', outcome: { code: 'tool_held' } });
  expect(service.calls).toEqual([]);
  // A person must decide about the new definition, as after any other read of the tool list.
  expect(pins.find('demo', 'svc_boost')).toMatchObject({ isHeld: true });
});

test('a service that cannot list its tools receives no call', async () => {
  const { service, approve } = await lookAtCall();
  Object.defineProperty(service, 'definitions', {
    get() {
      throw new Error('Away');
    },
  });
  const ended = await approve();
  expect(ended.state).toBe('withdrawn');
  expect(service.calls).toEqual([]);
});
