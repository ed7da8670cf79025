import { expect, test } from 'vitest';
import {
  chips,
  expectNothingCut,
  expectOnlyOurElements,
  hostileNames,
  marks,
  readable,
} from './driver/hostile.ts';
import type { SecondClient } from './driver/second-client.ts';
import { prepareSessions } from './driver/session.ts';

const { startSession } = prepareSessions();

/** Gives every hostile name to a campaign of its own; the ids in the order of the names. */
async function spread(second: SecondClient): Promise<Map<number, string>> {
  const names = Object.values(hostileNames);
  const cids = await second.cids({ perPage: names.length });
  for (const [index, cid] of cids.entries()) await second.change(cid, { name: names[index] ?? '' });
  return new Map(cids.map((cid, index) => [cid, names[index] ?? '']));
}

test('names that pretend to be markup, marks or figures stay text in the list, the panel, the proposals and the ledger', async () => {
  const { app, second, complaints } = await startSession();
  await app.until('first row');
  const names = await spread(second);
  await app.page.getByRole('button', { name: 'Refresh' }).click();

  for (const [cid, name] of names) {
    const cell = app.row(cid).getByRole('gridcell').nth(2);
    await expect.poll(() => cell.textContent()).toBe(readable(name));
    expect(await chips(cell)).toBe(marks(name));
    await app.row(cid).getByRole('gridcell').nth(1).click();
    const heading = app.panel(cid).getByRole('heading', { level: 2 });
    await expect.poll(() => heading.textContent()).toBe(readable(name));
    const proposed = await app.propose(cid, {
      field: 'name',
      from: name,
      to: `${[...name].slice(1).join('')}.`,
    });
    expect(proposed).toMatchObject({ state: 'proposed' });
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

test('in the confirmation every hostile text is wholly visible, with its marks drawn, and the change is unmistakable', async () => {
  const { app, second, complaints } = await startSession();
  const names = await spread(second);

  for (const [cid, name] of names) {
    const to = [...name].toReversed().slice(0, 250).join('');
    const { id } = (await app.propose(cid, { field: 'name', from: name, to })) as { id: string };
    const confirmation = await app.bringUp(id);
    const { page } = confirmation;
    const changes = page.getByRole('region', { name: 'What changes' });
    const line = changes.getByRole('group', { name: 'Name changes' });
    const [before, after] = [line.locator('bdi').nth(0), line.locator('bdi').nth(1)];
    await expect.poll(() => before.textContent()).toBe(readable(name));
    expect(await after.textContent()).toBe(readable(to));
    expect(await chips(line)).toBe(marks(name) + marks(to));
    await expectNothingCut(page, page.getByRole('main'));
    await expectOnlyOurElements(page);
    expect(await confirmation.approve.isVisible()).toBe(true);
    expect(await confirmation.deny.isVisible()).toBe(true);
  }
  expect(second.count('PUT', '')).toBe(names.size);
  expect(await complaints()).toEqual([]);
});
