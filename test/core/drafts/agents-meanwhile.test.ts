import { expect, test } from 'vitest';
import type { AppEvent } from '#shared/app-api/index.ts';
import { campaignNow } from '#test/core/proposals/world.ts';
import { openWithAgent, waiting } from '#test/core/gateway/admission/admitted-agent.ts';
import { checked, draft, draftsOf, propose } from './drafts-of.ts';

test('an agent’s change of a drafted field is a conflict that shows both values and the original', async () => {
  const { world, agent, cid } = await openWithAgent();
  const { name: original } = await campaignNow(world, cid);
  await draft(world, cid, { name: 'Mine', payout: 0.2 });
  expect(await checked(world, cid)).toMatchObject({ fields: [{ state: 'changed' }, { state: 'changed' }] });
  const heard: AppEvent[] = [];
  world.core.subscribe((event) => void heard.push(event));

  const commit = agent.call('svc_commit', await agent.prepare(cid, 'key-1'));
  const { id } = await waiting(world);
  await world.approve(await world.look(id));
  expect((await commit).isError).toBeFalsy();
  expect(await campaignNow(world, cid)).toHaveProperty('name', 'Other');
  // Pages must read the campaign again, and the earlier result of the check is outdated.
  expect(heard).toContainEqual({ kind: 'campaigns.changed', cids: [cid] });
  expect((await world.core.handlers['drafts.checked']({})).campaigns).toEqual([]);

  const found = await checked(world, cid);
  expect(found.state).toBe('conflict');
  expect(found.fields).toMatchObject([
    { field: 'name', state: 'conflict', original, theirs: 'Other', mine: 'Mine' },
    { field: 'payout', state: 'changed' },
  ]);
  expect((await propose(world, [cid])).refused).toMatchObject([{ cid }]);
  expect((await draftsOf(world, cid))?.fields).toHaveProperty('name');
});
