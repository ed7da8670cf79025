import { describe, expect, test } from 'vitest';
import { admitAgent, oneWaits, waiting } from '#test/core/proposals/admit.ts';
import { createWorld, findCampaign, type World } from '#test/core/proposals/world.ts';
import { addMember, openDesktop, openLive, signInTo } from '#test/core/connections/live-world.ts';
import { has } from '#test/servers/abilities.ts';
import { textOf } from '#test/servers/agent/agent.ts';
import { openPolicyPlace } from '#test/servers/policy-place.ts';

/** Unusable texts, each for a different reason. */
const unusable: [string, string][] = [
  ['cut off', '{"guardrails":{'],
  ['with a misspelt limit', '{"guardrails":{"maxBidFaktor":2}}'],
  ['with a value out of range', '{"guardrails":{"maxCampaigns":-1}}'],
  ['with a key twice', '{"updates":"off","updates":"off"}'],
  ['empty', ''],
];

describe.runIf(has.modes)('while the administrator’s policy is unusable', () => {
  test.each(unusable)(
    'because its file is %s, an admitted agent cannot propose, and can again once it is corrected',
    async (_why, text) => {
      const policyPlace = openPolicyPlace();
      policyPlace.write({});
      const world = await createWorld({ policyPlace });
      const agent = await admitAgent(world);
      const { cid } = await running(world);

      policyPlace.write(text);
      const refused = await agent.change(cid, { name: 'Mine' }).then(textOf, String);
      expect(refused).toContain('policy');
      expect(await waiting(world)).toEqual([]);
      expect(world.puts()).toBe(0);

      policyPlace.write({});
      void agent.change(cid, { name: 'Mine' }).catch(() => undefined);
      await oneWaits(world, 'tool.call');
    },
  );

  test('an agent’s change that a person approves is not sent, and the agent gets the reason', async () => {
    const policyPlace = openPolicyPlace();
    const world = await createWorld({ policyPlace });
    const agent = await admitAgent(world);
    const { cid, name } = await running(world);
    const call = agent.change(cid, { name: 'Mine' });
    const display = await world.look((await oneWaits(world, 'tool.call')).id);

    policyPlace.write('{');
    const { proposal } = await world.approve(display);
    expect(proposal).toMatchObject({ state: 'withdrawn', outcome: { code: 'policy_unusable' } });
    const answer = await call;
    expect(answer.isError).toBe(true);
    expect(textOf(answer)).toContain('Nothing was sent');
    expect(world.puts()).toBe(0);
    expect((await world.other.get(cid)).edit.campaign).toHaveProperty('name', name);
  });

  test('a live service receives neither an approved change, nor a read, nor a request of an agent', async () => {
    const policyPlace = openPolicyPlace();
    const live = await openLive();
    const world = await openDesktop({ policyPlace });
    const { handlers } = world.core;
    const { id } = await addMember(world, live);
    await signInTo(world, live, id, ['svc:write']);
    const agent = await admitAgent(world);
    expect((await agent.call('svc_whoami', {})).isError).toBeFalsy();
    const { data } = await live.list('?status=1');
    const [first, second] = data.map(({ cid }) => cid);
    const mine = await handlers['campaigns.proposeStatus']({ cids: [first ?? 0], status: 2 });
    const display = await world.look(mine.id);
    const received = (): unknown[] => live.backend.requestLog().map(({ method, path }) => [method, path]);

    policyPlace.write('{"liveServices":"any"}');
    const before = received();
    const { proposal } = await world.approve(display);
    expect(proposal).toMatchObject({ state: 'withdrawn', outcome: { code: 'policy_unusable' } });
    expect(await agent.change(second ?? 0, { name: 'Mine' }).then(textOf, String)).toContain('policy');
    const { rows } = await handlers['campaigns.page']({
      filter: { query: '', status: 1, types: [], sort: 'cid', order: 'desc' },
      page: 1,
      perPage: 50,
    });
    // The rows come from Demo.
    expect(rows.map(({ cid }) => cid)).not.toEqual(expect.arrayContaining([first]));
    for (const request of ['profiles.switch', 'doctor.start'] as const)
      await expect(
        request === 'doctor.start' ? handlers[request]({ profileId: id }) : handlers[request]({ id }),
      ).rejects.toMatchObject({ code: 'policy_unusable' });
    expect(received()).toEqual(before);
  });
});

const running = (world: World) => findCampaign(world, ({ status }) => status === 1);
