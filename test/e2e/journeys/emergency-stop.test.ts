import { expect, test } from 'vitest';
import { textOf } from '#test/servers/agent/agent.ts';
import { admitAgent } from '../driver/agents.ts';
import { prepareBrowserSessions } from '../driver/browser/sessions.ts';

const { startSession } = prepareBrowserSessions();

test('one press stops everything while the tools and the sign-in of the service are down, and a reviewed change brings it back', async () => {
  const { app, second, faults } = await startSession({ demoCampaigns: 12 });
  await app.until('first row');
  const agent = await admitAgent(app);
  const active = await second.cids({ status: 1, perPage: 50 });
  const running = [...active, ...(await second.cids({ status: 4, perPage: 50 }))];
  const [cid = 0, other = 0] = active;
  const hanging = agent.change(cid, { name: 'Another name' });
  await app.waiting(1);
  const away = ['/mcp', '/token', '/authorize', '/register', '/.well-known', '/revoke'];
  for (const path of away) {
    for (let count = 0; count < 200; count += 1) faults.arm({ kind: 'answer', status: 503, path });
  }

  await app.turnTo();
  const stop = await app.confirmationFrom(app.page.getByRole('button', { name: 'Emergency stop' }));
  expect(textOf(await hanging)).toContain('frozen');
  expect(textOf(await agent.call('svc_whoami', {}))).toContain('frozen');
  expect(await stop.title()).toBe(`Pause ${running.length} running campaigns`);
  await stop.says('no time limit');
  const band = app.page.getByRole('alert').filter({ hasText: 'Nothing is paused yet.' });
  await band.getByRole('button', { name: 'Review pause' }).waitFor();
  await second.change(other, { status: 2 });
  await stop.pressApprove();
  await stop.ends('Verified');
  await stop.says('Left as it was');
  for (const one of running) expect((await second.read(one))['status']).toBe(one === other ? 2 : 3);
  await stop.close();

  await app.turnTo();
  await band.waitFor({ state: 'detached' });
  await app.goTo('Agents');
  const resume = await app.confirmationFrom(app.page.getByRole('button', { name: /^Resume/ }));
  // Resumed campaigns raise the money at risk, so the number of changes is typed.
  const hint = resume.page.getByText(/^Type (\d+) above first$/);
  const [count = ''] = /\d+/.exec(await hint.innerText()) ?? [];
  await resume.page.getByRole('main').getByRole('textbox').fill(count);
  await resume.pressApprove();
  await expect.poll(async () => (await second.read(cid))['status']).toBe(1);
  expect((await second.read(other))['status']).toBe(2);
});
