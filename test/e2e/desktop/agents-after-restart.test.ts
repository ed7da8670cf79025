import { expect, test } from 'vitest';
import { defaultWaitingMinutes } from '#shared/proposals/states.ts';
import { textOf } from '#test/servers/agent/agent.ts';
import { connectAgent } from '#test/servers/agent/connect-agent.ts';
import { createManualClock } from '#test/servers/manual-clock.ts';
import { approve, admitAgent } from '../driver/agents.ts';
import { prepareDesktopSessions } from '../driver/desktop/sessions.ts';
import { changePinnedTool } from '../driver/service-side.ts';

const { startSession } = prepareDesktopSessions();

test('a proposal with a receipt survives a restart and waits until it expires, and a changed tool is held', async () => {
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

  clock.advance(defaultWaitingMinutes * 60_000);
  await app.waiting(0);
  expect(textOf(await back.call('countersign_await', { proposalId: waiting[1] }))).toMatch(
    /No decision was made in time/,
  );
});
