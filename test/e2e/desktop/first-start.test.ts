import { expect, test } from 'vitest';
import { admitAgent } from '#test/e2e/driver/agents.ts';
import { prepareDesktopSessions } from '#test/e2e/driver/desktop/sessions.ts';
import { textOf } from '#test/servers/agent/agent.ts';
import type { AppDriver } from '../driver/app.ts';
import { axeFaults } from '../driver/axe.ts';

const { startSession } = prepareDesktopSessions();

const welcomeOf = ({ page }: AppDriver) => page.getByRole('dialog', { name: 'Welcome to Countersign' });

/** Opens the screen again in the way that the screen itself describes. */
async function openAgain(app: AppDriver): Promise<void> {
  await app.turnTo();
  await app.page.keyboard.press('Control+k');
  await app.page.keyboard.type('getting started');
  await app.page.keyboard.press('Enter');
  await welcomeOf(app).waitFor();
}

test('the first start of the desktop app leads to a new profile, to agents, and to training in its own window', async () => {
  const session = await startSession({ demoCampaigns: 12, offersFirstStart: true });
  const { app } = session;
  const welcome = welcomeOf(app);
  await welcome.waitFor();
  expect(await axeFaults(app.page)).toEqual([]);
  await welcome.getByText('Find this again under Help or Guide.').waitFor();
  await welcome.getByRole('button', { name: /^Connect a service/ }).click();
  await app.page.getByLabel('Tools address').waitFor();

  await openAgain(app);
  await welcome.getByRole('button', { name: /^Connect an agent/ }).click();
  await app.page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor();

  await openAgain(app);
  await welcome.getByRole('button', { name: /^First mission/ }).click();
  await welcome.waitFor({ state: 'detached' });
  await expect.poll(session.titles).toContain('TRAINING · Countersign');

  await openAgain(app);
  await welcome.getByRole('button', { name: /^Explore the demo/ }).click();
  await app.until('first row');
  expect(await welcome.count()).toBe(0);
  expect(await session.complaints()).toEqual([]);
});

test('while a live profile is active, an agent’s change goes to the agent’s own profile, and exploring the demo announces the switch', async () => {
  const session = await startSession({ demoCampaigns: 12 });
  const { app, second } = session;
  await app.until('first row');
  const agent = await admitAgent(app);
  const nowhere = 'http://127.0.0.1:9';
  const { id } = (await app.ask('profiles.add', {
    name: 'Meridian',
    zone: 'UTC',
    remoteAccess: 'oauth',
    baseUrl: `${nowhere}/api/v1`,
    apiUrl: nowhere,
    mcpUrl: nowhere,
  })) as { id: string };
  await app.ask('profiles.switch', { id });
  await expect.poll(session.titles).toContain('LIVE · “Meridian” · Countersign');
  await app.page.getByRole('banner').getByText('Meridian').waitFor();

  const [cid = 0] = await second.cids({ status: 1, perPage: 1 });
  const renamed = agent.change(cid, { name: 'Another name' });
  const [proposal = ''] = await app.waiting(1);
  const confirmation = await app.bringUp(proposal);
  expect(await confirmation.words()).toContain('Northwind Media');
  await expect.poll(() => confirmation.page.locator('html').getAttribute('data-profile')).toBe('demo');
  await confirmation.pressApprove();
  await confirmation.ends('Verified');
  expect(textOf(await renamed)).toContain('completed');
  expect((await second.read(cid))['name']).toBe('Another name');
  await confirmation.close();

  await openAgain(app);
  const explore = welcomeOf(app).getByRole('button', { name: /^Explore the demo/ });
  await expect.poll(() => explore.innerText()).toContain('Switches to the Demo profile.');
  await explore.click();
  await expect.poll(session.titles).toContain('Demo · “Northwind Media” · Countersign');
  await app.until('first row');
  await expect.poll(() => app.page.locator('html').getAttribute('data-profile')).toBe('demo');
});
