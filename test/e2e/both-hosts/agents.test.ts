import { expect, test } from 'vitest';
import { usualWaitingMinutes } from '#shared/proposals/waiting-time.ts';
import { textOf } from '#test/servers/agent/agent.ts';
import { connectAgent } from '#test/servers/agent/connect-agent.ts';
import { createManualClock } from '#test/servers/manual-clock.ts';
import { approve, admitAgent } from '../driver/agents.ts';
import { changePinnedTool } from '../driver/service-side.ts';
import { prepareSessions } from '../driver/session.ts';

const { startSession } = prepareSessions();

test('an agent is admitted by one gesture, and a person’s decisions reach it', async () => {
  const { app, second, complaints } = await startSession();
  await app.until('first row');
  const agent = await admitAgent(app);
  const [cid = 0, other = 0] = await second.cids({ status: 1, perPage: 2 });
  const before = await second.read(cid);
  const bid = Number((Number(before['payout']) * 1.1).toFixed(3));

  const raised = agent.change(cid, { payout: bid });
  const [id = ''] = await app.waiting(1);
  const confirmation = await app.bringUp(id);
  expect(await confirmation.title()).toMatch(/^Raise the bid of “.+” from \$.+ to \$/);
  expect(await confirmation.words()).toContain('proposed by “Test agent” (agent');
  expect(await second.read(cid)).toEqual(before);
  await confirmation.pressApprove();
  await confirmation.ends('Verified');
  expect(textOf(await raised)).toContain('completed');
  expect(await second.read(cid)).toEqual({ ...before, payout: bid });

  const renamed = agent.change(other, { name: 'Another name' });
  const [second2 = ''] = await app.waiting(1);
  await (await app.bringUp(second2)).pressDeny('not before Monday');
  const denied = await renamed;
  expect(denied.isError).toBe(true);
  expect(textOf(denied)).toContain('not before Monday');
  expect((await second.read(other))['name']).not.toBe('Another name');

  await app.turnTo();
  await app.goTo('Agents');
  await app.page.getByText('Test agent').first().waitFor();
  await app.page.getByRole('button', { name: /^Revoke/ }).click();
  await app.page
    .getByRole('dialog')
    .getByRole('button', { name: /^Revoke/ })
    .click();
  await expect(agent.call('svc_whoami', {})).rejects.toThrow();
  expect(await complaints()).toEqual([]);
});

test('what an agent has a receipt for survives a restart, waits until its time is over, and a changed tool is held', async () => {
  const clock = createManualClock();
  const session = await startSession({ clock });
  const { second } = session;
  let { app } = session;
  const memory = {};
  const agent = await admitAgent(app, { memory, clock });
  const cids = await second.cids({ status: 1, perPage: 3 });

  const calls = cids.map((cid) => agent.change(cid, { name: `Campaign ${cid}` }));
  await app.waiting(3);
  clock.advance(50_000);
  for (const receipt of await Promise.all(calls)) {
    expect(receipt.isError).toBe(true);
    expect(textOf(receipt)).toContain('waiting for confirmation');
  }
  await agent.vanish();

  app = await session.restartCore(() => changePinnedTool(session.dataFolder, 'svc_prepare_upload'));
  const waiting = await app.waiting(3);
  const back = await connectAgent(await app.agentAddress(), { memory }).agent;
  const held = await back.call('svc_prepare_upload', {});
  expect(textOf(held)).toContain('is held');
  await app.goTo('Agents');
  await app.page.getByRole('button', { name: /Accept new version/ }).click();
  await expect.poll(async () => textOf(await back.call('svc_prepare_upload', {}))).not.toContain('is held');

  const [id = ''] = waiting;
  const awaited = back.call('countersign_await', { proposalId: id });
  const confirmation = await app.bringUp(id);
  await approve(confirmation, clock);
  await confirmation.ends('Verified');
  expect(textOf(await awaited)).toContain('completed');

  clock.advance(usualWaitingMinutes * 60_000);
  await app.waiting(0);
  expect(textOf(await back.call('countersign_await', { proposalId: waiting[1] }))).toMatch(
    /No decision was made in time/,
  );
});
