import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { expect, test } from 'vitest';
import { changeElsewhere } from '#test/core/proposals/world.ts';
import { connect, openWithAgent, textOf, waiting } from '../admission/admitted-agent.ts';
import { reopenEndpoint } from '../endpoint/endpoint-world.ts';
import { failReads, onceWritten } from './once-written.ts';

const verdictIn = ({ structuredContent }: CallToolResult): unknown => structuredContent?.['countersign'];

test('a change that is stored differently is an error for the model, with the verdict in the structured answer', async () => {
  const { world, agent, cid } = await openWithAgent();
  const args = await agent.prepare(cid, 'key-1');
  onceWritten(world, cid, () => changeElsewhere(world, cid, { name: 'Theirs' }));
  const call = agent.call('svc_commit', args);
  const { id } = await waiting(world);
  await world.approve(await world.look(id));
  const result = await call;
  // The service's own answer would read as done.
  expect(result.structuredContent).toMatchObject({ status: 'success' });
  expect(result.isError).toBe(true);
  expect(verdictIn(result)).toMatchObject({
    verdict: 'differs',
    proposalId: id,
    next: expect.stringContaining('Do not send this again') as string,
    differences: [{ field: 'name', verdict: 'different', sent: 'Other', found: 'Theirs' }],
  });
  expect(textOf(result)).toMatch(/^Countersign: .*something different from what was approved/);
});

test('a model is asked not to repeat a change that was not read back, even after a restart', async () => {
  const { world, agent, cid, token } = await openWithAgent();
  const args = await agent.prepare(cid, 'key-1');
  onceWritten(world, cid, () => failReads(world));
  const call = agent.call('svc_commit', args);
  const { id } = await waiting(world);
  await world.approve(await world.look(id));
  const result = await call;
  expect([result.isError, textOf(result)]).toEqual([
    true,
    expect.stringMatching(/^Do not send this again\. /) as string,
  ]);
  expect(verdictIn(result)).toMatchObject({ verdict: 'unknown', proposalId: id });
  await agent.client.close();

  const again = await world.restart();
  const back = await connect(await reopenEndpoint(again), token);
  await again.core.handlers['proposals.settle']({ id });
  for (const name of ['countersign_await', 'svc_commit']) {
    const settled = await back.call(name, name === 'svc_commit' ? args : { proposalId: id });
    expect([name, settled.isError ?? false, verdictIn(settled)]).toMatchObject([
      name,
      false,
      { verdict: 'verified', proposalId: id, differences: [] },
    ]);
  }
});

test('a receipt and the answer to countersign_await carry the verdict as well', async () => {
  const { world, agent, cid } = await openWithAgent();
  const call = agent.call('svc_commit', await agent.prepare(cid, 'key-1'));
  const { id } = await waiting(world);
  world.clock.advance(45_000);
  const next = { name: 'countersign_await', arguments: { proposalId: id } };
  expect(verdictIn(await call)).toMatchObject({
    verdict: 'waiting',
    proposalId: id,
    expiresAt: expect.stringMatching(/^\d{4}-.*Z$/) as string,
    ledgerRow: expect.any(Number) as number,
    next: expect.stringContaining('countersign_await') as string,
    nextCall: next,
  });
  const asked = await agent.call('countersign_await', { proposalId: id, waitSeconds: 0 });
  expect(verdictIn(asked)).toMatchObject({ verdict: 'waiting', proposalId: id });
  await world.deny(await world.look(id), 'Too early');
  const denied = await agent.call('countersign_await', { proposalId: id });
  const verdict = { verdict: 'denied', proposalId: id, reason: 'Too early', expiresAt: null, nextCall: null };
  expect([denied.isError, verdictIn(denied)]).toMatchObject([true, verdict]);
});

test('every write tool lists the verdict member, and its pin is the service’s own definition', async () => {
  const { world, agent } = await openWithAgent();
  const { tools } = await agent.client.listTools();
  const listing = tools.filter(({ outputSchema }) => outputSchema?.properties?.['countersign'] !== undefined);
  expect(listing.map(({ name }) => name)).toEqual(['svc_commit', 'countersign_await']);
  for (const { outputSchema } of listing) {
    expect(outputSchema?.required ?? []).not.toContain('countersign');
  }
  const { tools: pinned } = await world.core.handlers['agents.tools']({ profileId: 'demo' });
  expect(pinned.every(({ state }) => state === 'pinned')).toBe(true);
});
