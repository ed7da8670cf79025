import AxeBuilder from '@axe-core/playwright';
import { expect, test } from 'vitest';
import { png } from '#test/core/backend/uploads/pictures.ts';
import { prepareBrowserSessions } from '../../driver/browser/sessions.ts';
import { firstWith, openSection } from '../../driver/editor.ts';

const { startSession } = prepareBrowserSessions();

test('the user replaces a picture with two approvals, and can use an uploaded picture whose change was denied again', async () => {
  const { app, second, complaints } = await startSession();
  const { page } = app;
  await app.until('first row');
  const cid = await firstWith(second, ({ icon }) => icon !== null);
  const { icon: stored } = await second.read(cid);
  await openSection(app, cid, 'creative');
  const pictures = page.getByRole('group', { name: 'Pictures' });
  await pictures.getByRole('img', { name: /^Icon, stored at/ }).waitFor();
  await pictures.getByRole('img', { name: /^Main image, stored at/ }).waitFor();

  const choose = (name: string, side: number): Promise<void> =>
    page
      .getByLabel('File of the icon')
      .setInputFiles({ name, mimeType: 'image/png', buffer: png(side, side) });
  await choose('tiny.png', 48);
  await pictures.getByText('The picture is 48 × 48.').waitFor();
  await expect.poll(() => pictures.getByRole('button', { name: 'Review upload' }).isDisabled()).toBe(true);
  await pictures.getByRole('button', { name: 'Cancel' }).click();
  await choose('second-try.png', 128);
  const review = pictures.getByRole('button', { name: 'Review upload' });
  const upload = await app.confirmationFrom(review);
  await upload.armed();
  await upload.page.getByRole('img', { name: 'New icon, the file second-try.png' }).waitFor();
  await upload.page.getByRole('img', { name: /^Icon now, stored at/ }).waitFor();
  const { violations } = await new AxeBuilder({ page: upload.page }).setLegacyMode().analyze();
  expect(violations).toEqual([]);
  await upload.says('Upload the icon “second-try.png”');
  await pictures.getByText('Step 1 of 2').waitFor();
  await upload.pressApprove();
  await upload.ends('Done');
  await upload.page.close();

  await page.getByText('1 change', { exact: true }).first().waitFor();
  const icon = pictures.getByRole('img', { name: /^Icon, stored at/ });
  await expect.poll(() => icon.evaluate((element) => (element as HTMLImageElement).naturalWidth)).toBe(128);
  const change = await app.confirmationFrom(page.getByRole('button', { name: /^Review change/ }));
  await change.armed();
  const pair = ['before', 'after'].map((side) =>
    change.page.getByRole('img', { name: new RegExp(`^Icon ${side} the change`) }),
  );
  // A picture that arrives may move the other one.
  for (const picture of pair) await picture.waitFor();
  const [before, after] = await Promise.all(pair.map((picture) => picture.boundingBox()));
  expect(after?.y).toBe(before?.y);
  const risk = await change.page.getByRole('region', { name: 'Money at risk' }).boundingBox();
  expect(after?.y).toBeLessThan(risk?.y ?? 0);
  await change.pressDeny();
  await change.ends('Denied');
  expect((await second.read(cid))['icon']).toEqual(stored);

  await pictures.getByText('1 not used').click();
  await pictures.getByText('not used by a campaign').waitFor();
  await pictures.getByRole('button', { name: 'Use picture second-try.png' }).waitFor();
  const own = await new AxeBuilder({ page }).setLegacyMode().analyze();
  expect(own.violations.map(({ id }) => id)).toEqual([]);
  expect(await complaints()).toEqual([]);
});
