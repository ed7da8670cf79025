import { expect, test } from 'vitest';
import { textOf } from '#test/servers/agent/agent.ts';
import { createManualClock } from '#test/servers/manual-clock.ts';
import { approve, admitAgent } from '../../driver/agents.ts';
import { pass } from '../../driver/running-clock.ts';
import { prepareSessions } from '../../driver/session.ts';

const { startSession } = prepareSessions();

const nightMs = 9 * 60 * 60_000;

test('an agent’s proposal from the evening is prepared again in the morning, shown with what changed, approved, and reported to the agent', async () => {
  const clock = createManualClock();
  const { app, second, complaints } = await startSession({ clock });
  await app.until('first row');
  const agent = await admitAgent(app, { clock });
  const [cid = 0] = await second.cids({ status: 1, perPage: 1 });
  const before = await second.read(cid);
  const bid = Number((Number(before['payout']) * 1.1).toFixed(3));
  const proposed = agent.change(cid, { payout: bid });
  const [id = ''] = await app.waiting(1);
  clock.advance(50_000);
  expect(textOf(await proposed)).toContain('waiting for confirmation');

  // During the night the service's approval expires, and another user renames the campaign.
  clock.advance(nightMs);
  await second.change(cid, { name: 'Renamed overnight' });
  await pass(app.page, nightMs);
  const awaited = agent.call('countersign_await', { proposalId: id });

  await app.goTo('Proposals');
  await app.page.getByText('The service’s approval of this change has ended.').waitFor();
  const confirmation = await app.confirmationFrom(app.page.getByRole('button', { name: 'Prepare again' }));
  await confirmation.says('Prepared again. Nothing was sent.');
  await confirmation.says('Renamed overnight');
  expect((await second.read(cid))['payout']).toBe(before['payout']);
  const [successor = ''] = await app.waiting(1);
  expect(successor).not.toBe(id);
  await approve(confirmation, clock);
  await confirmation.ends('Verified');

  const answer = await awaited;
  expect(answer.isError).not.toBe(true);
  expect(textOf(answer)).toContain('completed');
  expect(textOf(answer)).toContain(`proposal ${successor} took the place of ${id}`);
  expect(await second.read(cid)).toMatchObject({ payout: bid, name: 'Renamed overnight' });

  await app.turnTo();
  expect(await app.ask('proposals.get', { id })).toMatchObject({ state: 'expired', replacedBy: successor });
  await app.page.goto(`${new URL(app.page.url()).origin}/#/proposals/${id}`);
  await app.page.getByRole('link', { name: 'Open the proposal that replaced it' }).waitFor();
  expect(await complaints()).toEqual([]);
});
