import { expect, test } from 'vitest';
import { noGuardrails } from '#test/fixtures/guardrails.ts';
import { textOf } from '#test/servers/agent/agent.ts';
import { admitAgent, oneWaits, waiting } from '../proposals/admit.ts';
import { createWorld, findCampaign } from '../proposals/world.ts';

test('a refused agent is told which guardrail refused and what would be allowed, and a frozen agent that nothing was done', async () => {
  const world = await createWorld();
  const agent = await admitAgent(world);
  const { cid, payout } = await findCampaign(world, (row) => row.status === 1 && row.payout < 0.5);
  const kept = await findCampaign(world, (row) => row.status === 1 && row.cid !== cid);
  await world.core.handlers['guardrails.set']({
    profileId: 'demo',
    base: noGuardrails,
    guardrails: { ...noGuardrails, maxBidFactor: 1.5, untouchable: [kept.cid] },
  });

  const tooHigh = await agent.change(cid, { payout: payout * 2 });
  expect(tooHigh.isError).toBe(true);
  expect(textOf(tooHigh)).toMatch(
    /One change may raise a bid to 1\.5 times the current one at most\..*is allowed/,
  );
  expect(textOf(await agent.change(kept.cid, { name: 'Mine' }))).toContain(
    `Campaign ${kept.cid} must not be touched by any agent.`,
  );
  expect(textOf(await agent.setStatus([cid, kept.cid], 'paused'))).toContain(`Campaign ${kept.cid} must not`);
  expect(await waiting(world)).toEqual([]);

  const waits = agent.change(cid, { name: 'Another name' });
  const { id } = await oneWaits(world, 'tool.call');
  const { id: pause } = await world.core.handlers['emergencyStop.start']({});
  const answer = await waits;
  expect(answer.isError).toBe(true);
  expect(textOf(answer)).toContain('Nothing was sent: a person has frozen all agents.');
  expect(await world.core.handlers['proposals.get']({ id })).toMatchObject({
    state: 'withdrawn',
    outcome: { code: 'agents_frozen' },
  });
  expect((await waiting(world)).map((one) => one.id)).toEqual([pause]);

  const later = await agent.call('svc_commit', {}).then(textOf, String);
  expect(later).toContain('A person has frozen all agents');
  expect(world.puts()).toBe(0);

  const { attempts } = await world.core.handlers['agents.refused']({});
  expect(attempts.map(({ rule, title, cids }) => ({ rule, title, cids }))).toEqual([
    { rule: 'frozen', title: expect.stringContaining('“svc_commit”') as string, cids: [] },
    { rule: 'untouchable', title: 'Pause 2 campaigns', cids: [cid, kept.cid] },
    {
      rule: 'untouchable',
      title: expect.stringMatching(/^Rename .* to “Mine”$/) as string,
      cids: [kept.cid],
    },
    { rule: 'maxBidFactor', title: expect.stringMatching(/^Raise the bid of /) as string, cids: [cid] },
  ]);
  expect(attempts[3]).toMatchObject({ times: 1, reason: expect.stringContaining('1.5 times') as string });
});
