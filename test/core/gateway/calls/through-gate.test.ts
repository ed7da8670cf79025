import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changeElsewhere, findCampaign } from '#test/core/proposals/world.ts';
import { failWrites } from '#test/servers/stored-rows.ts';
import { connect, newest, openWithAgent, proposals, textOf, waiting } from '../admission/admitted-agent.ts';
import { openEndpointWorld, reopenEndpoint } from '../endpoint/endpoint-world.ts';
import { until } from '../surface-world.ts';

test('a commit waits for a person, is written once, and answered by the service with our verdict', async () => {
  const { world, agent, cid } = await openWithAgent();
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

test('a person’s reason reaches the agent, and a changed campaign makes it prepare again', async () => {
  const { world, agent, cid } = await openWithAgent();
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

test('a receipt that the disk refuses is none: the call fails, and its change is not sent later', async () => {
  const { world, agent, cid } = await openWithAgent();
  const commit = agent.call('svc_commit', await agent.prepare(cid, 'key-1'));
  const showing = await world.look((await waiting(world)).id);
  const heal = failWrites(join(world.folder, 'countersign.sqlite'));
  world.clock.advance(45_000);
  const result = await commit;
  expect(result).toMatchObject({ isError: true, structuredContent: { error: { code: 'storage_failed' } } });
  heal();
  await expect(world.approve(showing)).rejects.toMatchObject({ code: 'proposal_not_waiting' });
  expect(await newest(world, 'past')).toMatchObject({ state: 'withdrawn' });
  expect((await world.other.get(cid)).edit.campaign).not.toHaveProperty('name', 'Other');
});

test('of two calls with one key the first that leaves leaves the proposal to the other, the last takes it along', async () => {
  const { world, agent, cid } = await openWithAgent();
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
  const { world, agent, cid, token } = await openWithAgent();
  const commit = agent.call('svc_commit', await agent.prepare(cid, 'key-1'));
  const { id } = await waiting(world);
  world.clock.advance(45_000);
  expect(textOf(await commit)).toContain(
    `Not executed: waiting for confirmation by a person. Proposal ${id}.`,
  );
  await agent.client.close();
  const again = await world.restart();
  const endpointWorld = await reopenEndpoint(again);
  const back = await connect(endpointWorld, token);
  const answer = back.call('countersign_await', { proposalId: id });
  await again.approve(await again.look(id));
  expect(textOf(await answer)).toContain('reading it back found what was approved');
  const stranger = await connect(endpointWorld, (await endpointWorld.enter()).tokens.access_token);
  expect(textOf(await stranger.call('countersign_await', { proposalId: id }))).toContain('no such proposal');
});

test('an agent that ends its session withdraws what it has a receipt for; confirmed:true alone writes nothing', async () => {
  const { world, agent, cid } = await openWithAgent();
  const before = (await world.other.get(cid)).edit.campaign;
  const commit = agent.call('svc_commit', { ...(await agent.prepare(cid, 'key-1')), confirmed: true });
  await waiting(world);
  world.clock.advance(45_000);
  expect((await commit).isError).toBe(true);
  await agent.transport.terminateSession();
  expect(await newest(world, 'past')).toMatchObject({ state: 'withdrawn' });
  expect((await world.other.get(cid)).edit.campaign).toEqual(before);
});

test('a change that waited past its approval is prepared again when it is opened, and its agent follows it through every successor', async () => {
  const endpointWorld = await openEndpointWorld();
  const { world } = endpointWorld;
  const { clientId, tokens } = await endpointWorld.enter({
    grant_types: ['authorization_code', 'refresh_token'],
  });
  const agent = await connect(endpointWorld, tokens.access_token);
  const { cid } = await findCampaign(world, ({ status }) => status === 1);
  const args = await agent.prepare(cid, 'key-1');
  const commit = agent.call('svc_commit', args);
  const { id } = await waiting(world);
  world.clock.advance(45_000);
  expect((await commit).isError).toBe(true);
  await agent.client.close();

  world.clock.advance(11 * 60_000);
  const first = (await world.look(id)).proposal;
  world.clock.advance(11 * 60_000);
  await changeElsewhere(world, cid, { d_revenue: 444, enable_budget: 1 });
  const refreshed = await endpointWorld.client.refresh(clientId, tokens.refresh_token ?? '');
  const { access_token: token } = (await refreshed.json()) as { access_token: string };
  const back = await connect(endpointWorld, token);
  // The agent waits with the id of its first proposal, and asks once more under the same key.
  const awaited = back.call('countersign_await', { proposalId: id });
  const repeated = back.call('svc_commit', args);
  const second = await world.look(first.id);
  expect(second.proposal.rebase).toMatchObject({
    of: first.id,
    preparedAgain: true,
    moved: expect.arrayContaining([expect.objectContaining({ field: 'd_revenue' })]),
  });
  await world.approve(second);
  for (const result of [await awaited, await repeated]) {
    expect(result.isError, textOf(result)).toBeFalsy();
    expect(textOf(result)).toContain(
      `prepared again for a person, under a new approval of the service: proposal ${second.proposal.id} took the place of ${first.id}`,
    );
    expect(result._meta).toMatchObject({
      'countersign/verdict': { proposalId: second.proposal.id, state: 'verified' },
    });
  }
  expect((await world.other.get(cid)).edit.campaign).toMatchObject({ name: 'Other', d_revenue: 444 });
  expect(await proposals(world, 'waiting')).toEqual([]);
});

test('after a freeze, a revoked agent or in quiet hours nothing is prepared again', async () => {
  const { world, agent, cid } = await openWithAgent();
  const commit = agent.call('svc_commit', await agent.prepare(cid, 'key-1'));
  const { id } = await waiting(world);
  world.clock.advance(45_000);
  await commit;
  world.clock.advance(11 * 60_000);
  const { handlers } = world.core;
  const limits = await handlers['guardrails.get']({ profileId: 'demo' });
  const quiet = { ...limits, quietHours: { fromHour: 0, untilHour: 0 } };
  await handlers['guardrails.set']({
    profileId: 'demo',
    base: limits,
    guardrails: quiet,
  });
  const asked = world.service.requestLog().length;
  await expect(handlers['proposals.review']({ id })).rejects.toMatchObject({ code: 'guardrail' });
  expect(world.service.requestLog()).toHaveLength(asked);
  await handlers['guardrails.set']({ profileId: 'demo', base: quiet, guardrails: limits });
  await handlers['agents.freeze']({});
  await expect(handlers['proposals.review']({ id })).rejects.toMatchObject({ code: 'proposal_not_waiting' });
  expect(await newest(world, 'past')).toMatchObject({ state: 'withdrawn' });
});
