import type { Page } from 'playwright';
import { expect } from 'vitest';
import type { ConfirmationDriver } from './confirmation.ts';

/**
 * Counts a person's presses in a page from now on. A choice in a native list counts as two, because the page gets no event
 * for the press that opens the list or the press that chooses.
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
 * Approves everything that a review shows, identical changes together, and waits until each is verified. Types the
 * confirmation text if it is required. Returns the number of presses.
 */
export async function approveAll(confirmation: ConfirmationDriver): Promise<number> {
  const { page } = confirmation;
  const presses = await countPresses(page);
  const together = page.getByRole('button', { name: /identical changes: review together/ });
  const over = page.getByRole('button', { name: 'Close window' });
  const shown = async (): Promise<string | null> =>
    (await over.count()) > 0 ? null : confirmation.fingerprint();
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
    const before = await confirmation.fingerprint();
    await confirmation.pressApprove();
    await expect.poll(shown).not.toBe(before);
    if ((await over.count()) > 0) break;
  }
  const main = page.getByRole('main');
  await main
    .getByText('Verified', { exact: true })
    .or(main.getByText('Done', { exact: true }))
    .first()
    .waitFor();
  for (const decided of await page
    .getByRole('list', { name: 'Decided in this review' })
    .getByRole('listitem')
    .all())
    await expect.poll(() => decided.innerText()).toMatch(/^(Verified|Done)/);
  return presses();
}

/**
 * Returns the names of everything that Tab and Enter can press now, without the entries of selects: in the open menu, else in
 * the open dialog, else in the part of this selector. Focuses the first element named `toFocus`.
 */
export const pressableNames = (page: Page, part: string, toFocus?: string): Promise<string[]> =>
  page.evaluate(
    ({ part, toFocus }) => {
      const layer = document.querySelector('[role=menu]') ?? document.querySelector('dialog:modal');
      const kinds = 'button, summary, [role=button], [role=tab], [role=menuitem]';
      const controls = (layer ?? document.querySelector(part))?.querySelectorAll<HTMLElement>(kinds) ?? [];
      const pressable = [...controls].filter(
        (control) =>
          control.checkVisibility({ visibilityProperty: true }) &&
          !control.matches(':disabled, [aria-disabled=true], [inert] *, button[tabindex="-1"]'),
      );
      const names = pressable.map((control) =>
        (control.getAttribute('aria-label') ?? control.textContent).trim(),
      );
      if (toFocus !== undefined) pressable[names.indexOf(toFocus)]?.focus();
      return names;
    },
    { part, toFocus },
  );

/** Presses Enter on the first element with this name from `pressableNames`. Returns false if it does not exist. */
export async function pressNamed(page: Page, part: string, name: string): Promise<boolean> {
  const names = await pressableNames(page, part, name);
  if (!names.includes(name)) return false;
  await page.keyboard.press('Enter');
  return true;
}

/** Describes a problem with the focus; null if the focus is visible and the next key continues from there. */
export const focusFault = (page: Page): Promise<string | null> =>
  page.evaluate(() => {
    const focused = document.activeElement;
    if (focused === null || focused === document.body) return 'nowhere';
    if (!focused.checkVisibility({ visibilityProperty: true })) return 'on something hidden';
    if (focused.matches(':disabled')) return 'on something disabled';
    const modal = [...document.querySelectorAll('dialog:modal')].at(-1);
    return modal === undefined || modal.contains(focused) ? null : 'behind the dialog';
  });

/** Returns the name of the open dialog's action button if it is not the last button on the right; null if it is. */
export const dialogFault = (page: Page): Promise<string | null> =>
  page.evaluate(() => {
    const dialog = document.querySelector('dialog:modal');
    const acts = dialog?.querySelector('[class*=__primary]') ?? dialog?.querySelector('[class*=__danger]');
    const row = [...(acts?.parentElement?.querySelectorAll('button') ?? [])];
    const rightOf = (button: Element): number => button.getBoundingClientRect().right;
    const last = row.toSorted((one, other) => rightOf(one) - rightOf(other)).at(-1);
    return acts == null || acts === last ? null : `“${acts.textContent}” is not at the right`;
  });
