import { expect, test } from 'vitest';
import { maxWaiting } from '#core/proposals/index.ts';
import { createAgentWorld } from '../tool-call/agent-world.ts';
import { sentence } from '#shared/lib/sentence.ts';

test('several writes proposed by the app take one place in the queue, however many campaigns they change', async () => {
  const world = await createAgentWorld({ campaigns: maxWaiting + 40 });
  const { data } = await world.connection.member.list({ page: 1, perPage: 200, sort: 'cid', order: 'asc' });
  const updates = data.slice(0, maxWaiting + 4).map(({ cid, name }) => ({
    cid,
    changes: [{ field: 'name', from: name, to: `${cid} back` }],
  }));
  const request = { equally: sentence`Bring back what agents changed`, statuses: [], skipped: [] };
  const batch = await world.gate.proposeSeveral({ ...request, updates });
  expect(batch.detail).toMatchObject({ members: { length: maxWaiting + 4 } });
  expect(world.store.proposals.countUndecided()).toBe(1);
  const [first] = data;
  await expect(
    world.gate.proposeStatus({ cids: [first?.cid ?? 0], status: first?.status === 2 ? 3 : 2 }),
  ).resolves.toBeDefined();
});
