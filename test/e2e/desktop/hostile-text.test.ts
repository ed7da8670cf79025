import { expect, test } from 'vitest';
import {
  chips,
  expectNothingCut,
  expectOnlyOurElements,
  giveHostileNames,
  marks,
  readable,
} from '../driver/hostile.ts';
import { prepareDesktopSessions } from '../driver/desktop/sessions.ts';

const { startSession } = prepareDesktopSessions();

test('in the confirmation every hostile text is wholly visible, with its marks drawn, and the change is unmistakable', async () => {
  const { app, second, complaints } = await startSession();
  const names = await giveHostileNames(second);

  for (const [cid, name] of names) {
    const to = [...name].toReversed().slice(0, 250).join('');
    const id = await app.propose(cid, { field: 'name', from: name, to });
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
