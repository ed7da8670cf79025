import { test } from 'vitest';
import { openPageHost } from '#test/core/backend/oauth/page-host.ts';
import { launchChromium } from '#test/e2e/driver/chromium.ts';
import { takeNarrowPage, themes } from './camera.ts';

test.each(themes)('the service’s pages to sign in and grant access, %s', async (theme) => {
  const [host, browser] = await Promise.all([openPageHost(), launchChromium()]);
  try {
    const page = await browser.newPage({ colorScheme: theme });
    await page.goto(host.ask());
    await takeNarrowPage(page, 'service-sign-in', theme);
    await page.locator('[name=login]').fill('marlow-media');
    await page.locator('[name=password]').fill('not this one');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').waitFor();
    await takeNarrowPage(page, 'service-sign-in-wrong', theme);
    await page.locator('[name=login]').fill('marlow-media');
    await page.locator('[name=password]').fill(host.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Allow access?' }).waitFor();
    await takeNarrowPage(page, 'service-consent', theme);
  } finally {
    await browser.close();
    await host.dispose();
  }
});
