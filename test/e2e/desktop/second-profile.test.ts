import { expect, test } from 'vitest';
import { admitAgent } from '#test/e2e/driver/agents.ts';
import { prepareDesktopSessions } from '#test/e2e/driver/desktop/sessions.ts';
import { textOf } from '#test/servers/agent/agent.ts';

const { startSession } = prepareDesktopSessions();

test('another active profile does not redirect an agent: its change goes to the profile that admitted it', async () => {
  const { app, second } = await startSession({ demoCampaigns: 12 });
  await app.until('first row');
  const agent = await admitAgent(app);
  const nowhere = 'http://127.0.0.1:9';
  const added = (await app.ask('profiles.add', {
    name: 'Meridian',
    zone: 'UTC',
    baseUrl: `${nowhere}/api/v1`,
    apiUrl: nowhere,
    mcpUrl: nowhere,
    remoteAccess: 'oauth',
  })) as { id: string };
  await app.ask('profiles.switch', { id: added.id });
  await expect
    .poll(async () => ((await app.ask('session.get', {})) as { profile: { name: string } }).profile.name)
    .toBe('Meridian');

  const [cid = 0] = await second.cids({ status: 1, perPage: 1 });
  const renamed = agent.change(cid, { name: 'Another name' });
  const [id = ''] = await app.waiting(1);
  const confirmation = await app.bringUp(id);
  expect(await confirmation.words()).toContain('Northwind Media');
  expect(await confirmation.page.locator('html').getAttribute('data-profile')).toBe('demo');
  await confirmation.pressApprove();
  await confirmation.ends('Verified');
  expect(textOf(await renamed)).toContain('completed');
  expect((await second.read(cid))['name']).toBe('Another name');
});
