import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/**
 * Names everything that axe finds on a page, or in the part of it that a selector names: each rule with its elements and how
 * to mend them. Axe describes only what it finds: to describe all that is right, too, takes three times as long.
 */
export async function axeFaults(page: Page, part = 'html'): Promise<string[]> {
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  const { violations } = await axe.include(part).analyze();
  return violations.map(
    ({ id, impact, nodes }) =>
      `${id} (${impact}): ${nodes.map(({ target, failureSummary }) => `${target.join(' ')} ${failureSummary}`).join('\n')}`,
  );
}
