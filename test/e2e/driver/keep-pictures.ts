import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { BrowserContext } from 'playwright';

const folder = fileURLToPath(new URL('../../.output/', import.meta.url));

/** Saves a screenshot of every page of a failed scenario in `test/.output`. */
export async function keepPictures(context: BrowserContext): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const name = (expect.getState().currentTestName ?? 'scenario').replaceAll(/\W+/g, '-').slice(0, 80);
  for (const [index, page] of context.pages().entries()) {
    // A window that hangs or is hidden has no screenshot. The failure that is being reported matters more.
    await page
      .screenshot({ path: join(folder, `${name}-${index}.png`), timeout: 5_000 })
      .catch(() => undefined);
  }
}
