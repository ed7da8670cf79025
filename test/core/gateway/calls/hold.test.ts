import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createAgentTasks, createHold } from '#core/gateway/calls/hold.ts';
import type { CallContext } from '#core/mcp-server/index.ts';
import { tasksExtension } from '#core/mcp-server/exchange/envelope.ts';
import { AppError } from '#shared/errors/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { openEndpoint, type OpenEndpoint } from '#test/core/mcp-server/open-endpoint.ts';
import { createManualClock, type ManualClock } from '#test/servers/manual-clock.ts';
import { openSurface, principalOf, until, type SurfaceAgent, type SurfaceWorld } from '../surface-world.ts';
import { sentence } from '#shared/lib/sentence.ts';
import { createFakeGate } from './fake-gate.ts';

let service: OpenEndpoint;

beforeAll(async () => {
  service = await openEndpoint({ tools: { pause: () => ({}) } });
});

afterAll(() => service.dispose());

/** An agent that is connected to the surface, and a clock that the test advances. */
async function open(): Promise<{ clock: ManualClock; world: SurfaceWorld; agent: SurfaceAgent }> {
  const clock = createManualClock();
  const world = await openSurface(new URL(service.url).origin, { clock });
  return { clock, world, agent: await world.agent() };
}

/** Connects the SDK's second client, which starts no session, as an agent. Returns a function that calls a tool. */
async function callWithoutSession(url: string, token = 'a') {
  const client = new Client(
    { name: 'agent', version: '2' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  onTestFinished(() => client.close());
  return (name: string, args: Record<string, unknown> = {}) => client.callTool({ name, arguments: args });
}

const textOf = ({ content }: CallToolResult): string =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');

const executed = { content: [{ type: 'text', text: 'Paused.' }] };

test('a write waits for a person’s decision and gets the service’s answer when it is approved', async () => {
  const { world, agent } = await open();
  const call = agent.call('pause', { cid: 7 });
  const { request } = await world.gate.came();
  expect(request).toMatchObject({ args: { cid: 7 }, agent: { id: 'a' }, quotation: null, prepared: null });
  world.gate.settle({ state: 'verified' }, { answer: executed });
  const result = await call;
  expect(result.isError).toBeUndefined();
  expect(textOf(result)).toMatch(/^Paused\.\nCountersign: a person approved this/);
  expect(world.gate.held[0]?.reported).toEqual([]);
});

test('without progress reports a write waits 45 seconds, then the agent has a receipt and nothing was sent', async () => {
  const { world, agent, clock } = await open();
  const call = agent.call('pause');
  await world.gate.came();
  clock.advance(44_999);
  expect(world.gate.held[0]?.reported).toEqual([]);
  clock.advance(1);
  const result = await call;
  expect(world.gate.held[0]?.reported).toEqual(['receipt']);
  expect(result.isError).toBe(true);
  expect(textOf(result)).toMatch(
    /^Not executed: waiting for confirmation by a person\. Proposal proposal-1\. Call countersign_await/,
  );
  expect(result._meta).toMatchObject({
    'countersign/verdict': { proposalId: 'proposal-1', state: 'proposed', code: 'waiting_for_person' },
  });
});

test('with progress reports a write waits 240 seconds and reports every 10 seconds that a decision is pending', async () => {
  const { world, agent, clock } = await open();
  const heard: { progress: number; message?: string | undefined }[] = [];
  const call = agent.call('pause', {}, { onProgress: (progress) => heard.push(progress) });
  await world.gate.came();
  for (let tens = 1; tens < 24; tens += 1) {
    clock.advance(10_000);
    await until(() => heard.length === tens);
  }
  expect(heard[2]).toEqual({ progress: 30, message: 'Waiting for a person. 30 s' });
  expect(world.gate.held[0]?.reported).toEqual([]);
  clock.advance(10_000);
  expect(textOf(await call)).toContain('Not executed');
  clock.advance(60_000);
  expect(heard.length).toBeLessThanOrEqual(24);
});

test('an approved change with an unknown outcome is not reported as unsent', async () => {
  const { world, agent, clock } = await open();
  const call = agent.call('pause');
  const held = await world.gate.came();
  held.view = { ...held.view, state: 'sent' };
  clock.advance(45_000);
  const result = await call;
  expect(result.isError).toBe(true);
  expect(textOf(result)).not.toContain('Not executed');
  expect(textOf(result)).toContain('the outcome is not known yet');
});

test.each<[string, (agent: SurfaceAgent, stop: AbortController) => Promise<void> | void]>([
  ['is cancelled', (_agent, stop) => stop.abort()],
  ['is cut off', (agent) => agent.client.close()],
  ['ends with its session', (agent) => agent.transport.terminateSession()],
])('the proposal is withdrawn when its call %s', async (_what, leave) => {
  const { world, agent } = await open();
  const stop = new AbortController();
  const call = agent.call('pause', {}, { signal: stop.signal });
  call.catch(() => {});
  await world.gate.came();
  await leave(agent, stop);
  await world.gate.heard('left');
  expect(world.gate.held[0]?.reported).toEqual(['left']);
});

test('after the receipt the end of a call does not withdraw the proposal, and only the end of the session is reported', async () => {
  const { world, agent, clock } = await open();
  const { sessionId } = agent.transport;
  const call = agent.call('pause');
  await world.gate.came();
  clock.advance(45_000);
  await call;
  await agent.transport.terminateSession();
  await until(() => world.gate.ended.length > 0);
  expect(world.gate.ended).toEqual([sessionId]);
  expect(world.gate.held[0]?.reported).toEqual(['receipt']);
});

test('an agent with a receipt can ask for the answer of its call', async () => {
  const { world, agent, clock } = await open();
  const call = agent.call('pause');
  await world.gate.came();
  clock.advance(45_000);
  await call;
  const again = agent.call('countersign_await', { proposalId: 'proposal-1' });
  await world.gate.came();
  clock.advance(45_000);
  expect(textOf(await again)).toContain('Not executed: waiting for confirmation');
  const last = agent.call('countersign_await', { proposalId: 'proposal-1', waitSeconds: 30 });
  await world.gate.came();
  world.gate.settle({ state: 'verified' }, { answer: executed });
  expect(textOf(await last)).toMatch(/^Paused\./);
  // An agent may ask again.
  expect(textOf(await agent.call('countersign_await', { proposalId: 'proposal-1' }))).toMatch(/^Paused\./);
});

test('an agent waits as long as it asks, within its client’s limits, and no listener is left behind', async () => {
  const { world, agent, clock } = await open();
  const call = agent.call('pause');
  await world.gate.came();
  clock.advance(45_000);
  await call;
  const now = await agent.call('countersign_await', { proposalId: 'proposal-1', waitSeconds: 0 });
  expect(textOf(now)).toContain('Not executed');
  const long = agent.call('countersign_await', { proposalId: 'proposal-1', waitSeconds: 240 });
  await world.gate.came();
  clock.advance(45_000);
  expect(textOf(await long)).toContain('Not executed');
  const stop = new AbortController();
  agent.call('countersign_await', { proposalId: 'proposal-1' }, { signal: stop.signal }).catch(() => {});
  await world.gate.came();
  stop.abort();
  await until(() => world.gate.waiting('proposal-1') === 0);
  expect(world.gate.held[0]?.reported).not.toContain('left');
});

test('an agent that asks about another agent’s proposal is told that there is none', async () => {
  const { world, agent, clock } = await open();
  const call = agent.call('pause');
  await world.gate.came();
  clock.advance(45_000);
  await call;
  const other = await world.agent('b');
  const theirs = await other.call('countersign_await', { proposalId: 'proposal-1' });
  const nobodys = await other.call('countersign_await', { proposalId: 'proposal-2' });
  expect(theirs).toEqual(nobodys);
  expect(textOf(theirs)).toContain('There is no such proposal.');
});

test('an agent can still ask about its proposal while agents are frozen', async () => {
  const { world, agent } = await open();
  const call = agent.call('pause');
  await world.gate.came();
  world.frozen = true;
  world.gate.settle({
    state: 'withdrawn',
    outcome: { code: 'agents_frozen', message: sentence`A person has frozen all agents.`, next: sentence`` },
  });
  expect(textOf(await call)).toContain('frozen');
  expect(textOf(await agent.call('countersign_await', { proposalId: 'proposal-1' }))).toContain('frozen');
  expect(textOf(await agent.call('pause'))).toContain('frozen');
  expect(world.gate.held).toHaveLength(1);
});

test('an agent’s note is quoted with its next change only, and only in its session', async () => {
  const { world, agent } = await open();
  const other = await world.agent();
  expect((await agent.call('countersign_note', { text: 'It loses money.' })).isError).toBeUndefined();
  world.gate.refuseWith = new AppError('guardrail');
  await agent.call('pause');
  world.gate.refuseWith = null;
  for (const [number, one] of [other, agent, agent].entries()) {
    void one.call('pause').catch(() => {});
    await world.gate.came(number + 1);
  }
  expect(world.gate.held.map(({ request }) => request.quotation)).toEqual([null, 'It loses money.', null]);
});

test.each([
  ['asked', 'and its waiting proposal is withdrawn'],
  ['dropped', 'and its proposal keeps waiting for another session of the agent'],
] as const)('the note of a session is forgotten when its end was %s, %s', async (how, _meaning) => {
  const { world, agent } = await open();
  const session = agent.transport.sessionId ?? '';
  await agent.call('countersign_note', { text: 'It loses money.' });
  world.surface.sessionEnded?.(principalOf('a'), session, how);
  expect(world.gate.ended).toEqual(how === 'asked' ? [session] : []);
  void agent.call('pause').catch(() => {});
  const { request } = await world.gate.came();
  expect(request).toMatchObject({ quotation: null });
});

test.each(['in a session', 'without a session'])(
  'a note %s is quoted for half an hour and then forgotten',
  async (how) => {
    const { clock, world, agent } = await open();
    const call = how === 'in a session' ? agent.call : await callWithoutSession(world.url);
    for (const [number, passedMs] of [30 * 60_000, 30 * 60_000 + 1].entries()) {
      await call('countersign_note', { text: 'It loses money.' });
      clock.advance(passedMs);
      void call('pause').catch(() => {});
      await world.gate.came(number + 1);
    }
    expect(world.gate.held.map(({ request }) => request.quotation)).toEqual(['It loses money.', null]);
  },
);

test('without a session, a note is quoted with the next change of any program of the same agent', async () => {
  const { world } = await open();
  const [call, otherCall] = [await callWithoutSession(world.url), await callWithoutSession(world.url)];
  const foreignCall = await callWithoutSession(world.url, 'b');
  await call('countersign_note', { text: 'It loses money.' });
  for (const [number, one] of [foreignCall, otherCall, call].entries()) {
    void one('pause').catch(() => {});
    await world.gate.came(number + 1);
  }
  expect(world.gate.held.map(({ request }) => request.quotation)).toEqual([null, 'It loses money.', null]);
});

const wrong: [string, Record<string, unknown>, string][] = [
  ['countersign_note', {}, '“text”'],
  ['countersign_note', { text: ' ' }, '“text”'],
  ['countersign_note', { text: 'x'.repeat(1_001) }, 'at most 1,000 characters'],
  ['countersign_note', { text: 'x', more: 1 }, '“more”'],
  ['countersign_await', {}, '“proposalId”'],
  ['countersign_await', { proposalId: 7 }, '“proposalId”'],
  ['countersign_await', { proposalId: 'x', waitSeconds: 241 }, '“waitSeconds”'],
  ['countersign_await', { proposalId: 'x', waitSeconds: '5' }, '“waitSeconds”'],
];

test('invalid arguments of Countersign’s own tools are refused by name, and the longest note is accepted', async () => {
  const { agent } = await open();
  for (const [name, args, words] of wrong) {
    const result = await agent.call(name, args);
    expect(result.isError, words).toBe(true);
    expect(textOf(result)).toContain(words);
  }
  expect((await agent.call('countersign_note', { text: '😀'.repeat(1_000) })).isError).toBeUndefined();
});

describe('a write of a client with the Tasks extension', () => {
  const request = {
    agent: { id: 'a', name: 'Agent', sinceMs: 1, profileId: 'p' },
    sessionId: 's',
    tool: { name: 'pause', title: null, definitionHash: 'h' },
    args: {},
    undeclared: [],
    quotation: null,
    prepared: null,
  };
  const caller = (capabilities: JsonObject, signal = new AbortController().signal): CallContext => ({
    signal,
    isEnding: false,
    sessionId: 's',
    client: { capabilities, params: {} },
    wantsProgress: false,
    progress: async () => {},
    log: async () => {},
    ask: async () => ({}),
    closeStream: () => {},
  });
  const takesTasks = { extensions: { [tasksExtension]: {} } };

  function openHold() {
    const gate = createFakeGate();
    const hold = createHold({ gate, clock: createManualClock() });
    const tasks = createAgentTasks({ gate, pins: { find: () => null } });
    const call = (context: CallContext) => hold.call(request, { context, outputSchema: undefined });
    return { gate, tasks, call };
  }

  const owner = { key: 'a', grantId: null, agentId: 'a', profileId: 'p' };

  test('is answered with its task immediately, which counts as a receipt', async () => {
    const { gate, call } = openHold();
    expect(await call(caller(takesTasks))).toMatchObject({
      members: { resultType: 'task', taskId: 'proposal-1', status: 'working' },
    });
    expect(gate.held[0]?.reported).toEqual(['receipt']);
  });

  test('is withdrawn if the client disconnects before its task is answered', async () => {
    const { gate, call } = openHold();
    const leaving = new AbortController();
    const answer = call(caller(takesTasks, leaving.signal));
    leaving.abort();
    expect(await answer).not.toHaveProperty('members');
    expect(gate.held[0]?.reported).toEqual(['left']);
  });

  test('is withdrawn if its receipt cannot be stored', async () => {
    const { gate, call } = openHold();
    gate.giveReceipt = () => {
      throw new Error('The disk is full');
    };
    await expect(call(caller(takesTasks))).rejects.toThrow('The disk is full');
    expect(gate.held[0]?.reported).toEqual(['left']);
  });

  test('ends as a task with the same answer and ledger row as a write without tasks', async () => {
    const { gate, tasks, call } = openHold();
    const answer = call(caller({}));
    await gate.came();
    gate.settle({ state: 'verified' }, { answer: { ...executed, structuredContent: { status: 'success' } } });
    const { structuredContent, ...others } = await answer;
    expect(structuredContent).toMatchObject({ countersign: { verdict: 'verified', ledgerRow: 7 } });
    expect(tasks.find(owner, 'proposal-1')).toMatchObject({
      status: 'completed',
      result: { ...others, structuredContent, resultType: 'complete' },
    });
  });
});
