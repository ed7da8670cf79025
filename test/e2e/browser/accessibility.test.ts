import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { prepareBrowserSessions } from '../driver/browser/sessions.ts';

const { startSession } = prepareBrowserSessions();

/** What axe finds serious or critical on a page, each with the elements it is about. */
async function faultsOf(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ target, failureSummary }) => `${target.join(' ')} ${failureSummary}`).join('\n')}`,
    );
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`every page and window is accessible, as far as axe can tell, in ${colorScheme}`, async () => {
    const { app, second } = await startSession({ colorScheme });
    const { page } = app;
    const [cid = 0, other = 0] = await second.cids({ status: 1, perPage: 2 });
    await second.change(cid, { payout: 0.02 });
    const found: Record<string, string[]> = {};

    await app.until('first row');
    await app.selectFirst(3);
    found['campaigns'] = await faultsOf(page);
    await page.getByRole('button', { name: 'Clear selection' }).click();
    await page.keyboard.press('Control+k');
    await page.getByRole('option').first().waitFor();
    found['palette'] = await faultsOf(page);
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    found['shortcuts'] = await faultsOf(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Filter by type' }).click();
    await page.getByRole('menu').waitFor();
    found['menu'] = await faultsOf(page);
    await page.keyboard.press('Escape');

    const panel = await app.open(cid);
    await app.edit(cid, 'Bid', '99');
    await panel.getByText('1 field needs attention').waitFor();
    found['panel'] = await faultsOf(page);
    await app.edit(cid, 'Bid', '0.2');
    const asking = await app.review(cid);
    await asking.armed();
    found['confirmation, asking'] = await faultsOf(asking.page);
    await asking.page.getByLabel(/to confirm/).fill('0.200');
    await asking.pressApprove();
    await asking.ends('Verified');
    found['confirmation, ended'] = await faultsOf(asking.page);

    const { name } = await second.read(other);
    await app.propose(other, { field: 'name', from: String(name), to: 'Waiting for a decision' });
    await app.goTo('Proposals');
    await page.getByRole('link', { name: /^Rename/ }).click();
    await page.getByRole('region', { name: 'What changes' }).waitFor();
    found['proposals'] = await faultsOf(page);
    await page.getByRole('link', { name: /^Raise the bid/ }).click();
    await page.getByText('Stored by the service now').waitFor();
    found['proposals, past'] = await faultsOf(page);
    await app.goTo('Ledger');
    const row = page.getByRole('article').filter({ hasText: 'Saved and verified' });
    await row.getByRole('button').first().click();
    await row.getByText('Exact body').waitFor();
    found['ledger'] = await faultsOf(page);

    await app.goTo('Campaigns');
    await app.search('no campaign has this name');
    await page.getByRole('heading', { name: 'No results' }).waitFor();
    found['nothing found'] = await faultsOf(page);

    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((place) => [place, []])));
  });
}
