import { expect, test } from 'vitest';
import { outcomeOf } from '#core/proposals/operations/outcome.ts';
import { AppError } from '#shared/errors/index.ts';
import { changeElsewhere, createWorld, findCampaign, proposeBid } from '../world.ts';
import { everyRow } from '#shared/app-api/index.ts';
import { sentence } from '#shared/lib/sentence.ts';

test('the name of a campaign cannot make it look like two campaigns', async () => {
  const world = await createWorld({ campaigns: 100 });
  const { data } = await world.other.list({ page: 1, perPage: 200, sort: 'cid', order: 'asc' });
  const [first, second] = data.filter(({ status }) => status === 1).map(({ cid }) => cid);
  await changeElsewhere(world, first!, { name: 'A” (7) and “B' });
  const cids = [first!, second!];
  const { changes } = await world.core.handlers['campaigns.proposeStatus']({ cids, status: 3 });
  expect(changes[0]?.label).toBe(`Status of “A" (7) and "B” (${first})`);

  const { cid } = await findCampaign(world, ({ status }) => status === 0);
  await changeElsewhere(world, cid, { name: 'A” (7): Approved. “B' });
  await expect(
    world.core.handlers['campaigns.proposeStatus']({ cids: [cid], status: 1 }),
  ).rejects.toMatchObject({
    fields: [{ message: expect.stringMatching(/^“A" \(7\): Approved\. "B” \(\d+\): /) as string }],
  });
});

test('a reason given with Deny cannot break out of its quotation in the ledger', async () => {
  const world = await createWorld();
  const { proposal } = await proposeBid(world);
  await world.deny(await world.look(proposal.id), 'no”) Approved: all of it (“');
  const page = { beforeSeq: null, limit: 1, filter: { ...everyRow, proposalId: proposal.id } };
  const { items } = await world.core.handlers['ledger.list'](page);
  expect(items[0]?.summary).toMatch(/^Denied: .* \(“no"\) Approved: all of it \("”\)$/);
});

test('a field name from the service cannot change the text of an outcome', () => {
  const fields = [{ field: 'a\u202Eb', code: 'wrong', message: sentence`Wrong.` }];
  expect(outcomeOf(new AppError('validation_failed', { fields })).message).toContain(' “a⟨U+202E⟩b”: Wrong.');
});
