import { expect, test } from 'vitest';
import { textOf } from '#test/servers/agent/agent.ts';
import { admitAgent } from '../driver/agents.ts';
import { untilInLedger } from '../driver/app.ts';
import { prepareSessions } from '../driver/session.ts';

const { startSession } = prepareSessions();

test('the user admits an agent with one click, and the agent learns the user’s decisions', async () => {
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
  await untilInLedger(app, 'not before Monday');
  await app.goTo('Agents');
  await app.page.getByText('Test agent').first().waitFor();
  await app.page.getByRole('button', { name: /^Revoke/ }).click();
  await app.page
    .getByRole('dialog')
    .getByRole('button', { name: /^Revoke/ })
    .click();
  await expect.poll(() => app.page.getByRole('button', { name: /^Revok/ }).count()).toBe(0);
  await expect(agent.call('svc_whoami', {})).rejects.toThrow();
  expect(await complaints()).toEqual([]);
});
