import { expect, test } from 'vitest';
import { chips, expectOnlyOurElements, giveHostileNames, marks, readable } from '../driver/hostile.ts';
import { prepareBrowserSessions } from '../driver/browser/sessions.ts';

const { startSession } = prepareBrowserSessions();

test('campaign names that imitate markup, marks or amounts stay plain text in the list, the panel, the proposals and the ledger', async () => {
  const { app, second, complaints } = await startSession();
  await app.until('first row');
  const names = await giveHostileNames(second);
  await app.page.getByRole('button', { name: 'Refresh' }).click();

  for (const [cid, name] of names) {
    const cell = app.row(cid).getByRole('gridcell').nth(2);
    await expect.poll(() => cell.textContent()).toBe(readable(name));
    expect(await chips(cell)).toBe(marks(name));
    await app.row(cid).getByRole('gridcell').nth(1).click();
    const heading = app.panel(cid).getByRole('heading', { level: 2 });
    await expect.poll(() => heading.textContent()).toBe(readable(name));
    const id = await app.propose(cid, {
      field: 'name',
      from: name,
      to: `${[...name].slice(1).join('')}.`,
    });
    expect(await app.ask('proposals.get', { id })).toMatchObject({ state: 'proposed' });
  }
  await expectOnlyOurElements(app.page);

  await app.goTo('Proposals');
  const waiting = app.page.getByRole('region', { name: 'Waiting' });
  await expect.poll(() => waiting.getByRole('link').count()).toBe(names.size);
  const titles = (await waiting.getByRole('link').allTextContents()).join('\n');
  for (const name of names.values()) expect(titles).toContain(readable(name).replaceAll(/[“”]/g, '"'));
  await waiting.getByRole('link').first().click();
  await app.page.getByRole('region', { name: 'What changes' }).waitFor();
  await expectOnlyOurElements(app.page);

  await app.goTo('Ledger');
  const newest = app.page.getByRole('article').first();
  await newest.getByRole('button').first().click();
  await expect.poll(() => newest.textContent()).toContain(readable([...names.values()].at(-1) ?? ''));
  await newest.getByText('Exact body').click();
  await expectOnlyOurElements(app.page);
  expect(await complaints()).toEqual([]);
});
