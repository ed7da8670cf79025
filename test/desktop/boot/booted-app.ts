import type { ElectronApplication, Page } from 'playwright-core';
import { vi } from 'vitest';

/** The built app as it came up: the product's own entry, without any double. */
export interface BootedApp {
  application: ElectronApplication;
  /** The app's page, with the first campaigns on it. */
  page: Page;
  /** The confirmation's page, hidden. */
  confirmPage: Page;
}

/** Waits until both windows are there and the list has rows. */
export async function bootedApp(application: ElectronApplication): Promise<BootedApp> {
  const page = await pageAt(application, 'countersign://app/');
  await page.getByText('400 campaigns').waitFor({ timeout: 30_000 });
  return { application, page, confirmPage: await pageAt(application, 'countersign://confirm/') };
}

async function pageAt(application: ElectronApplication, url: string): Promise<Page> {
  return vi.waitUntil(() => application.windows().find((page) => page.url().startsWith(url)), {
    timeout: 30_000,
  });
}
