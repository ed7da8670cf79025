import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright';

/**
 * Names everything that axe finds on a page, or in the part of it that a selector names, in the theme that the page has; in the other
 * theme, in which only colours differ, it looks at their contrast. Each rule is named with its elements and how to mend them.
 */
export async function axeFaults(page: Page, part = 'html'): Promise<string[]> {
  // A page that is on its way has none yet; one that never gets it is named by the time that is up.
  await page.locator('h1, [role=heading][aria-level="1"]').first().waitFor({ state: 'attached' });
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

/** Gives the page a theme as its own switch does; null for the system's. */
function show(page: Page, theme: string | null): Promise<void> {
  return page.evaluate((theme) => {
    const { dataset } = document.documentElement;
    if (theme === null) delete dataset['theme'];
    else dataset['theme'] = theme;
  }, theme);
}

/** Stands for the source of axe in a page that has it: half a megabyte is otherwise sent and compiled twice at every look. */
const alreadyThere = 'void 0';

/** Axe describes only what it finds: to describe all that is right, too, takes three times as long. */
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
