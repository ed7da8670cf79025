import { expect, test } from 'vitest';
import { smallPlan } from '#test/core/training/small-plan.ts';
import { recordConnections } from '#test/servers/recorded-connections.ts';
import { prepareBrowserSessions } from '../driver/browser/sessions.ts';
import { hurried, trainingDriver } from '../driver/training.ts';

const { startSession } = prepareBrowserSessions();

test('a day with changes, an agent, the guide and training reaches this computer and nothing else', async () => {
  const connections = recordConnections();
  const { app, context, second, startTraining, complaints } = await startSession({
    demoCampaigns: 40,
    training: { planMission: hurried(smallPlan()), demoCampaigns: 40 },
  });
  const asked = new Set<string>();
  context.on('request', (request) => asked.add(new URL(request.url()).hostname));
  await app.until('first row');

  const [cid = 0] = await second.cids({ status: 1, perPage: 1 });
  const before = await second.read(cid);
  await app.open(cid);
  await app.edit(cid, 'Bid', (Number(before['payout']) * 1.1).toFixed(3));
  const confirmation = await app.review(cid);
  await confirmation.pressApprove();
  await confirmation.ends('Verified');
  await confirmation.close();

  await app.turnTo();
  for (const page of ['Drafts', 'Reports', 'Schedules', 'Ledger', 'Guide', 'Profiles', 'Agents'] as const) {
    await app.page.getByRole('link', { name: page, exact: true }).first().click();
    await app.page.getByRole('heading', { name: page, level: 1 }).waitFor();
  }
  const admission = await app.confirmationFrom(
    app.page.getByRole('button', { name: 'Try it with the sample agent' }),
  );
  await admission.pressApprove();
  await admission.ends('Allowed');
  await expect
    .poll(async () => {
      const list = { which: 'waiting', before: null, limit: 50 };
      return ((await app.ask('proposals.list', list)) as { items: unknown[] }).items.length;
    })
    .toBeGreaterThan(0);

  const window = trainingDriver(await startTraining());
  await window.heading('Who is training?').waitFor();
  await window.train('Mia Keller');
  await window.page.getByRole('button', { name: 'Start first mission' }).waitFor();

  expect([...asked]).toEqual(['127.0.0.1']);
  expect(connections.hosts()).toEqual(['127.0.0.1']);
  expect(await complaints()).toEqual([]);
});
