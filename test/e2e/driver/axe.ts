import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright';

/**
 * Returns every fault that axe finds on a page, or in the part of the page that a selector names. Checks the current theme
 * with all rules and the other theme for contrast only, because only colours differ. Each rule is listed with its elements
 * and how to fix them.
 */
export async function axeFaults(page: Page, part = 'html'): Promise<string[]> {
  // A page that is still loading has no heading yet. A page that never gets a heading is reported by the timeout.
  await page.locator('h1, [role=heading][aria-level="1"]').first().waitFor({ state: 'attached' });
  // Text that is being read again is faded, and its contrast is too low. Placeholders have no text and are checked.
  await page.locator('[aria-busy="true"]').filter({ hasText: /\S/ }).first().waitFor({ state: 'detached' });
  const found = await faultsNow(page, part);
  const [own, other] = await page.evaluate(() => {
    const { theme } = document.documentElement.dataset;
    const isDark =
      theme === undefined ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark';
    return [theme ?? null, isDark ? 'light' : 'dark'] as const;
  });
  await show(page, other);
  const inOther = await faultsNow(page, part, ['color-contrast']);
  await show(page, own);
  return [...found, ...inOther.map((fault) => `${other}: ${fault}`)];
}

/** Sets a page's theme as its own switch does; null is the system's theme. */
function show(page: Page, theme: string | null): Promise<void> {
  return page.evaluate((theme) => {
    const { dataset } = document.documentElement;
    if (theme === null) delete dataset['theme'];
    else dataset['theme'] = theme;
  }, theme);
}

/** Replaces axe's source in a page that already has it. Otherwise half a megabyte is sent and compiled twice at every check. */
const alreadyThere = 'void 0';

/** Reports only faults. Describing everything that passes would take three times as long. */
async function faultsNow(page: Page, part: string, rules?: string[]): Promise<string[]> {
  const isThere = page.frames().length === 1 && (await page.evaluate(() => 'axe' in window));
  const axe = new AxeBuilder({ page, ...(isThere && { axeSource: alreadyThere }) }).setLegacyMode().options({
    resultTypes: ['violations'],
    ...(rules && { runOnly: { type: 'rule', values: rules } }),
  });
  const { violations } = await axe.include(part).analyze();
  return violations.map(
    ({ id, impact, nodes }) =>
      `${id} (${impact}): ${nodes.map(({ target, failureSummary }) => `${target.join(' ')} ${failureSummary}`).join('\n')}`,
  );
}
