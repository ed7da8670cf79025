import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { textOf } from '#test/servers/agent/agent.ts';
import { admitAgent } from '../driver/agents.ts';
import { prepareBrowserSessions } from '../driver/browser/sessions.ts';

const { startSession } = prepareBrowserSessions();

test('one press stops everything while the service’s tools and sign-in are down, and a reviewed change resumes the campaigns', async () => {
  const { app, second, faults } = await startSession({ demoCampaigns: 400 });
  await app.until('first row');
  const agent = await admitAgent(app);
  const active = await second.cids({ status: 1, perPage: 200 });
  const running = [...active, ...(await second.cids({ status: 4, perPage: 200 }))];
  expect(running.length).toBeGreaterThan(100);
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
  await expectLongList(stop.page, `All ${running.length} campaigns`, running.length);
  await expectReadableNames(stop.page);
  const band = app.page.getByRole('alert').filter({ hasText: 'Nothing is paused yet.' });
  await band.getByRole('button', { name: 'Review pause' }).waitFor();
  await second.change(other, { status: 2 });
  await stop.pressApprove();
  await stop.ends('Verified');
  const found = await expectLongList(stop.page, 'What the read-back found', running.length);
  expect(found.filter((text) => text.includes('Left as it was')).length).toBe(1);
  for (const one of running) expect((await second.read(one))['status']).toBe(one === other ? 2 : 3);
  await stop.close();

  await app.turnTo();
  await band.waitFor({ state: 'detached' });
  const paused = app.page
    .getByRole('alert')
    .filter({ hasText: `${running.length - 1} campaigns are paused.` });
  const resume = await app.confirmationFrom(paused.getByRole('button', { name: 'Resume them…' }));
  expect(await resume.title()).toMatch(
    new RegExp(`^${running.length - 1} campaigns return to their status of \\d\\d:\\d\\d$`),
  );
  await expect
    .poll(() => resume.page.getByRole('list', { name: 'Warnings' }).getByRole('listitem').count())
    .toBe(1);
  await expectLongList(resume.page, `All ${running.length - 1} campaigns`, running.length - 1);
  await resume.page
    .getByRole('main')
    .getByRole('textbox')
    .fill(String(running.length - 1));
  await resume.pressApprove();
  await expect.poll(async () => (await second.read(cid))['status']).toBe(1);
  expect((await second.read(other))['status']).toBe(2);
});

/** Expects that the names of campaigns are readable at 150 % zoom. */
async function expectReadableNames(page: Page): Promise<void> {
  const size = page.viewportSize();
  await page.setViewportSize({ width: 507, height: 453 });
  const name = page.getByRole('listitem').locator(':scope > div > :nth-child(2)').last();
  await expect.poll(async () => (await name.boundingBox())?.width ?? 0).toBeGreaterThan(200);
  if (size !== null) await page.setViewportSize(size);
}

/**
 * Expects that a list of hundreds draws only a screenful, and that every row can be scrolled into view. Returns the texts of
 * the rows.
 */
async function expectLongList(page: Page, name: string, count: number): Promise<string[]> {
  const list = page.getByRole('list', { name, exact: true });
  const rows = list.getByRole('listitem');
  await rows.first().waitFor();
  await expect.poll(() => rows.first().getAttribute('aria-setsize')).toBe(String(count));
  await expect.poll(() => page.locator('*').count()).toBeLessThan(2_000);
  const frame = page.getByRole('group', { name, exact: true });
  await frame.focus();
  await page.keyboard.press('PageDown');
  const offset = (): Promise<number> => frame.evaluate((element) => element.scrollTop);
  await expect.poll(offset).toBeGreaterThan(0);
  const seen = new Map<string | null, string>();
  for (let row = 0; seen.size < count; row = (row + 5) % count) {
    await frame.evaluate((element, part) => element.scrollTo(0, part * element.scrollHeight), row / count);
    const drawn = await rows.evaluateAll((all) =>
      all.map((each) => [each.ariaPosInSet, each.textContent] as const),
    );
    for (const [at, text] of drawn) seen.set(at, text);
  }
  return [...seen.values()];
}
