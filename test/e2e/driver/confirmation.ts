import { expect } from 'vitest';
import type { Locator, Page } from 'playwright';
import type { ConfirmationHost } from './host.ts';

/** The confirmation window as a person uses it. */
export interface ConfirmationDriver {
  page: Page;
  approve: Locator;
  deny: Locator;
  /** Returns the title. */
  title(): Promise<string>;
  fingerprint(): Promise<string>;
  /** Returns every text on the page. */
  words(): Promise<string>;
  /** Waits until the buttons are armed. */
  armed(): Promise<void>;
  /** Waits until the buttons are armed, then presses Approve as a person would. */
  pressApprove(): Promise<void>;
  pressDeny(reason?: string): Promise<void>;
  /** Waits until the proposal has settled in this state, for example `Verified`. */
  ends(state: string, withinMs?: number): Promise<void>;
  /** Waits until the decision is answered, whatever the outcome. */
  answered(): Promise<void>;
  /** Waits until the page shows these words. */
  says(words: string | RegExp): Promise<void>;
  /** Waits until nothing can be decided any more in a window whose buttons were armed. */
  isOver(): Promise<void>;
  /** Locates the focused element if it has this accessible name. */
  focused(name: string): Locator;
  /** Makes the window lose the focus to the app's window and regain it, as a person's windows do. */
  refocus(): Promise<void>;
  /** Prevents the buttons from arming: the window regains the focus, but the core is not told until `release`. */
  holdArming(): Promise<{ release(): Promise<void> }>;
  /** Returns the number of decisions that the window has sent. */
  decisions(): number;
  /** Closes the window as a person does. */
  close(): Promise<void>;
}

export function confirmationDriver(host: ConfirmationHost): ConfirmationDriver {
  const { page, refocus } = host;
  const approve = page.getByRole('button', { name: /^(Approve|Allow)/ });
  const deny = page.getByRole('button', { name: 'Deny', exact: true });
  const denyWhen = (disabled: boolean): Locator =>
    page.locator(`button[aria-disabled="${disabled}"]`, { hasText: /^Deny/ });
  const armed = (): Promise<void> => denyWhen(false).waitFor();

  return {
    page,
    approve,
    deny,
    title: async () => (await page.getByRole('heading', { level: 1 }).innerText()).trim(),
    async fingerprint() {
      const hex = await page.getByTitle(/^[0-9a-f]{64}$/).getAttribute('title');
      return hex ?? '';
    },
    words: () => page.locator('body').innerText(),
    armed,
    async pressApprove() {
      await armed();
      await approve.click();
    },
    async pressDeny(reason) {
      await armed();
      if (reason !== undefined) await page.getByLabel('Reason for denying (optional)').fill(reason);
      await deny.click();
    },
    async ends(state, withinMs) {
      const limit = withinMs === undefined ? {} : { timeout: withinMs };
      const decided = page.getByRole('list', { name: 'Decided in this review' });
      const result = page.getByRole('main').or(decided).getByText(state, { exact: true });
      await result.first().waitFor(limit);
    },
    async answered() {
      await page
        .getByRole('button', { name: /^(Close window|Next change|Summary)$/ })
        .first()
        .waitFor();
    },
    async says(words) {
      await page.getByText(words).first().waitFor();
    },
    async isOver() {
      // The message depends on whether the page or the host noticed first.
      await expect.poll(async () => (await host.isGone()) || (await approve.count()) === 0).toBe(true);
    },
    focused: (name) =>
      page.locator(':focus').and(page.getByLabel(name).or(page.locator(':focus', { hasText: name }))),
    refocus,
    async holdArming() {
      const held = await host.holdSeen();
      await refocus();
      await denyWhen(true).waitFor();
      return {
        async release() {
          await held.release();
          await armed();
        },
      };
    },
    decisions: host.decisions,
    close: host.close,
  };
}
