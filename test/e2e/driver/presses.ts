import type { Page } from 'playwright';
import type { ConfirmationDriver } from './confirmation.ts';

/**
 * Counts the presses of a person in a page, from now on. A choice in a native list is two: the page never sees the press that opens it,
 * nor the one that chooses.
 */
export async function countPresses(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const counter = { presses: 0 };
    Object.assign(window, { counter });
    document.addEventListener('pointerdown', () => (counter.presses += 1), true);
    document.addEventListener(
      'change',
      ({ target }) => (counter.presses += target instanceof HTMLSelectElement ? 2 : 0),
      true,
    );
  });
  return () => page.evaluate(() => (window as unknown as { counter: { presses: number } }).counter.presses);
}

/**
 * Approves everything that a review shows, identical changes together, each to its verified end. Types what is asked for. Gives the number
 * of presses.
 */
export async function approveAll(confirmation: ConfirmationDriver): Promise<number> {
  const { page } = confirmation;
  const presses = await countPresses(page);
  const together = page.getByRole('button', { name: /identical changes: review together/ });
  const next = page.getByRole('button', { name: 'Next change' });
  for (;;) {
    await confirmation.armed();
    if ((await together.count()) > 0) {
      await together.click();
      await page.getByRole('heading', { level: 1, name: /\d changes$/ }).waitFor();
      await confirmation.armed();
    }
    const asked = page.getByText(/^Type .+ above first$/);
    if ((await asked.count()) > 0) {
      const value = (await asked.innerText()).replace(/^Type (.+) above first$/, '$1');
      await page.getByRole('textbox', { name: /to confirm/ }).fill(value);
    }
    await confirmation.pressApprove();
    const main = page.getByRole('main');
    await main
      .getByText('Verified', { exact: true })
      .or(main.getByText('Done', { exact: true }))
      .first()
      .waitFor();
    const over = page.getByRole('button', { name: /^(Next change|Summary|Close window)/ }).first();
    await over.waitFor();
    if ((await next.count()) === 0) return presses();
    await next.first().click();
  }
}
