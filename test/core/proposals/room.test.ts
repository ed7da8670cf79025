import { expect, test } from 'vitest';
import { mostWaiting } from '#core/proposals/index.ts';
import { createAgentWorld } from './tool-call/agent-world.ts';

test('several writes of the app’s own take one place together, however many campaigns they are about', async () => {
  const world = await createAgentWorld({ campaigns: mostWaiting + 40 });
  const { data } = await world.connection.member.list({ page: 1, perPage: 200, sort: 'cid', order: 'asc' });
  const updates = data.slice(0, mostWaiting + 4).map(({ cid, name }) => ({
    cid,
    changes: [{ field: 'name', from: name, to: `${cid} back` }],
  }));
  const wish = { equally: 'Bring back what agents changed', statuses: [], skipped: [] };
  const batch = await world.gate.proposeSeveral({ ...wish, updates });
  expect(batch.detail).toMatchObject({ members: { length: mostWaiting + 4 } });
  expect(world.store.proposals.countUndecided()).toBe(1);
  await expect(world.gate.proposeUpdate(updates[0]!)).resolves.toBeDefined();
});
