import { expect, test } from 'vitest';
import { prepareSessions } from '../driver/session.ts';

const { startSession } = prepareSessions();

test('About, found in the palette, shows the version and the licence of every bundled package', async () => {
  const { app, complaints } = await startSession();
  const { page } = app;
  await app.until('first row');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search and commands' }).fill('licences');
  await page.keyboard.press('Enter');
  const about = page.getByRole('dialog', { name: 'About Countersign' });
  // A compiled package, a package in the core's bundle, a package in the pages' bundle, and a font that only a style
  // sheet uses.
  for (const name of ['better-sqlite3', 'fastify', 'react-aria-components', '@fontsource-variable/inter'])
    await about.getByText(new RegExp(`^${name} \\d`)).waitFor();
  await about.getByText(/^better-sqlite3 \d/).click();
  await about.getByText('Copyright (c) 2017 Joshua Wise').waitFor();
  await page.keyboard.press('Escape');
  await about.waitFor({ state: 'detached' });
  expect(await complaints()).toEqual([]);
});
