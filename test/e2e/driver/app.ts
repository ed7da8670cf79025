import type { BrowserContext, Locator, Page } from 'playwright-core';
import type { AppRequest } from '#shared/app-api/index.ts';
import { confirmationDriver, type ConfirmationDriver } from './confirmation.ts';

/** Names of what a person waits for, each a thing that can be seen. */
const milestones = {
  // A grey row of a list that is still being read has cells, but no id in them.
  'first row': (page: Page) =>
    page.getByRole('row').nth(1).getByRole('gridcell').nth(1).filter({ hasText: /\d/ }),
  'bulk bar': (page: Page) => page.getByRole('toolbar', { name: 'Selected campaigns' }),
  lock: (page: Page) => page.getByText('Locked: the last change has an unknown outcome.'),
} satisfies Record<string, (page: Page) => Locator>;

export type Milestone = keyof typeof milestones;

/** The app as a person uses it, whatever host it runs in: verbs of the product, no selectors in the scenarios. */
export interface AppDriver {
  page: Page;
  until(milestone: Milestone): Promise<void>;
  goTo(section: 'Campaigns' | 'Proposals' | 'Ledger'): Promise<void>;
  search(text: string): Promise<void>;
  /** The row of a campaign in the list. */
  row(cid: number): Locator;
  /** The id in a row of the list, counted from 1. */
  cidInRow(row: number): Promise<number>;
  /** Searches for a campaign and opens its panel. */
  open(cid: number): Promise<Locator>;
  panel(cid: number): Locator;
  /** Types into a field of the open panel. */
  edit(cid: number, label: string, text: string): Promise<void>;
  /** Shows only the campaigns in a status. */
  filterStatus(status: string): Promise<void>;
  /** Selects the first rows of the list: the first box, then the last with shift. */
  selectFirst(count: number): Promise<void>;
  /** What the core answers a request of this page, its error included. */
  ask(request: AppRequest, input: object): Promise<unknown>;
  /** What the core answers when this page proposes a change of one field without the editor. */
  propose(cid: number, change: { field: string; from: string; to: string }): Promise<unknown>;
  /** Presses Review and gives the window that opens. */
  review(cid: number): Promise<ConfirmationDriver>;
  /** Presses a button that opens the confirmation, and gives its window. */
  confirmationFrom(button: Locator): Promise<ConfirmationDriver>;
}

/** Opens the app at an address in a context of its own. */
export async function openApp(context: BrowserContext, address: string): Promise<AppDriver> {
  const page = await context.newPage();
  await page.goto(address);
  return appDriver(page);
}

function appDriver(page: Page): AppDriver {
  const panel = (cid: number): Locator => page.getByRole('region', { name: `Campaign ${cid}`, exact: true });
  const row = (cid: number): Locator =>
    page.getByRole('row').filter({ has: page.getByRole('gridcell', { name: String(cid), exact: true }) });

  async function search(text: string): Promise<void> {
    await page.getByLabel('Search campaigns by name or ID').fill(text);
  }

  async function confirmationFrom(button: Locator): Promise<ConfirmationDriver> {
    const opened = page.context().waitForEvent('page');
    await button.click();
    const confirmation = confirmationDriver(await opened);
    await confirmation.page.getByRole('heading', { level: 1 }).waitFor();
    return confirmation;
  }

  async function ask(request: AppRequest, input: object): Promise<unknown> {
    // The page exchanges its ticket first; until then it may ask for nothing.
    await page.waitForFunction(() => sessionStorage.getItem('countersign.session') !== null);
    return page.evaluate(
      async ({ request, input }) => {
        const answer = await fetch(`/api/${request}`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'x-countersign-secret': sessionStorage.getItem('countersign.session') ?? '',
          },
          body: JSON.stringify(input),
        });
        const { output, error } = (await answer.json()) as { output?: unknown; error?: unknown };
        return error ?? output;
      },
      { request, input },
    );
  }

  return {
    page,
    async until(milestone) {
      await milestones[milestone](page).first().waitFor();
    },
    async goTo(section) {
      await page.getByRole('navigation').getByRole('link', { name: section }).click();
    },
    search,
    row,
    async cidInRow(row) {
      const text = await page.getByRole('row').nth(row).getByRole('gridcell').nth(1).innerText();
      return Number(text);
    },
    panel,
    async open(cid) {
      await search(String(cid));
      // Rows that still move would let a press begin on one and end on another.
      await page.locator('[role="grid"][aria-rowcount="2"][aria-busy="false"]').waitFor();
      await row(cid).getByRole('gridcell').nth(1).click();
      await panel(cid).getByLabel('Name', { exact: true }).waitFor();
      return panel(cid);
    },
    async edit(cid, label, text) {
      await panel(cid).getByLabel(label, { exact: true }).fill(text);
    },
    async filterStatus(status) {
      await page.getByRole('button', { name: 'Filter by status' }).click();
      await page.getByRole('menuitemradio', { name: status, exact: true }).click();
      await page.getByRole('row').nth(1).getByText(status, { exact: true }).waitFor();
    },
    async selectFirst(count) {
      const box = (row: number): Locator => page.getByRole('row').nth(row).getByRole('checkbox');
      await box(1).click({ force: true });
      await box(count).click({ force: true, modifiers: ['Shift'] });
      await page
        .getByRole('status')
        .filter({ hasText: `${count} selected` })
        .waitFor();
    },
    ask,
    propose: (cid, change) => ask('campaigns.proposeUpdate', { cid, changes: [change] }),
    review: (cid) => confirmationFrom(panel(cid).getByRole('button', { name: /^Review change/ })),
    confirmationFrom,
  };
}
