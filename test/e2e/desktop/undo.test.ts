import { expect, test } from 'vitest';
import { prepareDesktopSessions } from '../driver/desktop/sessions.ts';

const { startSession } = prepareDesktopSessions();

test('the window that shows the outcome of a change undoes it, by a review whose buttons arm anew', async () => {
  const { app, second, complaints } = await startSession();
  await app.until('first row');
  const [cid = 0] = await second.cids({ status: 1, perPage: 1 });
  const { name: before } = await second.read(cid);
  await app.open(cid);
  await app.edit(cid, 'Name', 'Renamed by mistake');
  const confirmation = await app.review(cid);
  await confirmation.pressApprove();
  await confirmation.ends('Verified');

  const writes = second.count('PUT', `/${cid}`);
  await confirmation.page.getByRole('button', { name: 'Undo change' }).click();
  await confirmation.armed();
  expect(await confirmation.title()).toMatch(/^To undo: /);
  expect(second.count('PUT', `/${cid}`)).toBe(writes);
  await confirmation.pressApprove();
  await confirmation.ends('Verified');
  expect(await second.read(cid)).toMatchObject({ name: before });

  expect(await complaints()).toEqual([]);

  // A change that cannot be brought back any more is said in the same window, and the outcome stays.
  await second.change(cid, { name: 'Of somebody else' });
  await confirmation.page.getByRole('button', { name: 'Undo change' }).click();
  await confirmation.says(/Nothing is left to undo/);
  await confirmation.ends('Verified');
});
