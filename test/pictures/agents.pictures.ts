import { test } from 'vitest';
import { connectAgent } from '#test/servers/agent/connect-agent.ts';
import { launchChromium } from '#test/e2e/driver/chromium.ts';
import { changePinnedTool } from '#test/e2e/driver/service-side.ts';
import { prepareSessions } from '#test/e2e/driver/session.ts';
import { takeConfirmation, takeNarrowPage, takePage, themes } from './camera.ts';

const { startSession } = prepareSessions();

test.each(themes)('an agent connects, proposes changes and is stopped, %s', async (theme) => {
  const session = await startSession({ colorScheme: theme });
  const { second } = session;
  let { app } = session;
  await app.until('first row');
  await app.goTo('Agents');
  await app.page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor();
  await takePage(app.page, 'agents-empty', theme);
  await app.page.getByRole('button', { name: 'Connect an agent' }).first().click();
  for (const [client, name] of [
    ['Claude Code', 'agents-connect'],
    ['Cursor', 'agents-connect-cursor'],
    ['VS Code', 'agents-connect-vs-code'],
  ] as const) {
    await app.page.getByRole('button', { name: /^Client/ }).click();
    await app.page.getByRole('option', { name: client }).click();
    await app.page.getByText('Your browser shows two words.').scrollIntoViewIfNeeded();
    await takePage(app.page, name, theme);
  }

  const memory = {};
  const coming = connectAgent(await app.agentAddress(), { name: 'Claude Code', memory });
  await coming.page;
  const [admission = ''] = await app.waiting(1);
  await takePage(app.page, 'agents-asked', theme);
  const question = await app.bringUp(admission);
  await question.armed();
  await takeConfirmation(question.page, 'confirm-admission', theme);
  await question.pressApprove();
  await question.ends('Allowed');
  await takeConfirmation(question.page, 'confirm-admission-let-in', theme);
  const agent = await coming.agent;

  const [one = 0, two = 0, three = 0, four = 0, ...equal] = await second.cids({ status: 1, perPage: 20 });
  const bid = Number((await second.read(one))['payout']);
  await agent.call('countersign_note', { text: 'The bid is far below the market for this country.' });
  const calls = [agent.change(one, { payout: Number((bid * 10).toFixed(4)) })];
  const [slip = ''] = await app.waiting(1);
  const danger = await app.bringUp(slip);
  await danger.armed();
  await takeConfirmation(danger.page, 'confirm-agent-tenfold', theme);
  await danger.pressDeny('That is ten times the bid.');
  await danger.ends('Denied');

  calls.push(
    agent.change(two, { geo_enabled: 1, geo: [], enable_shedule: 0 }),
    agent.call('svc_prepare_task_cancel', { taskId: 'none' }),
  );
  await app.waiting(1);
  const [wide = ''] = await app.waiting(1);
  const widened = await app.bringUp(wide);
  await widened.armed();
  await takeConfirmation(widened.page, 'confirm-agent-widens', theme);
  await widened.pressDeny();

  const png =
    'iVBORw0KGgoAAAANSUhEUgAAAGAAAABgCAIAAABt+uBvAAAACXBIWXMAAAABAAAAAQBPJcTWAAAAPElEQVR4nO3BAQ0AAADCoPdPbQ43oAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAfgxjAAAB7jYvRgAAAABJRU5ErkJggg==';
  const upload = await agent.call('svc_prepare_upload', {
    kind: 'icon',
    fileName: 'icon.png',
    contentType: 'image/png',
    content: png,
  });
  void upload;

  calls.push(...equal.slice(0, 12).map((cid) => agent.setStatus([cid], 'paused')));
  calls.push(
    agent.setStatus([three], 'suspended'),
    agent.change(four, { name: 'Summer sale – second wave' }),
  );
  await app.waiting(14);
  await app.turnTo();
  await app.goTo('Proposals');
  const together = app.page.getByRole('button', { name: 'Review 12 together' });
  await together.waitFor();
  await takePage(app.page, 'proposals-groups', theme);
  const batch = await app.confirmationFrom(together);
  await batch.armed();
  await takeConfirmation(batch.page, 'confirm-together', theme);
  await batch.pressApprove();
  await batch.ends('Done');
  await takeConfirmation(batch.page, 'confirm-together-done', theme);

  app = await session.restartCore(() => changePinnedTool(session.dataFolder, 'svc_commit'));
  const back = await connectAgent(await app.agentAddress(), { memory }).agent;
  await back.call('svc_whoami', {});
  await app.goTo('Agents');
  await app.page.getByRole('button', { name: /Accept new version/ }).waitFor();
  await takePage(app.page, 'agents', theme);
  await app.page.getByRole('button', { name: /Accept new version/ }).scrollIntoViewIfNeeded();
  await takePage(app.page, 'agents-changed-tool', theme);

  await app.goTo('Ledger');
  await app.page.getByText('Rows verified, with a warning').waitFor();
  await takePage(app.page, 'ledger-agents', theme);
  const stop = await app.confirmationFrom(app.page.getByRole('button', { name: 'Emergency stop' }));
  await stop.armed();
  await takeConfirmation(stop.page, 'confirm-emergency-pause', theme);
  await app.turnTo();
  await app.page.getByText('Agents frozen').first().waitFor();
  await takePage(app.page, 'agents-frozen', theme);
  await app.goTo('Agents');
  await app.page.getByText('Campaigns to pause').scrollIntoViewIfNeeded();
  await takePage(app.page, 'agents-emergency-stop', theme);
});

test.each(themes)('the browser page during an agent’s access request, %s', async (theme) => {
  const { app } = await startSession({ colorScheme: theme });
  const coming = connectAgent(await app.agentAddress(), { name: 'Claude Code' });
  const text = await coming.page;
  const browser = await launchChromium();
  try {
    const page = await browser.newPage({ colorScheme: theme });
    await page.setContent(text.replace(/<meta http-equiv="refresh"[^>]*>/i, ''));
    await takeNarrowPage(page, 'agent-waits', theme);
  } finally {
    await browser.close();
  }
});
