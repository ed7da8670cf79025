import { expect } from 'vitest';
import type { Locator, Page } from 'playwright';
import type { AppRequest } from '#shared/app-api/index.ts';
import { confirmationDriver, type ConfirmationDriver } from './confirmation.ts';
import type { AppHost } from './host.ts';

/** The list with every row loaded and drawn. While rows move, a click could begin on one row and end on another. */
const settledList = '[role="grid"][aria-busy="false"]:not(:has([role="row"][aria-busy="true"]))';

/** Names of states that a scenario waits for, each with a visible element. */
const milestones = {
  'first row': (page: Page) => page.locator(`${settledList} [role="row"][aria-rowindex="2"]`),
  'list at rest': (page: Page) => page.locator(settledList),
  'core away': (page: Page) => page.getByText('Countersign cannot be reached.'),
} satisfies Record<string, (page: Page) => Locator>;

export type Milestone = keyof typeof milestones;

/** The app as a person uses it, in any host. Scenarios use these verbs of the product and no selectors. */
export interface AppDriver {
  page: Page;
  until(milestone: Milestone): Promise<void>;
  /** Focuses the app's window as a person does. */
  turnTo(): Promise<void>;
  goTo(
    section:
      | 'Campaigns'
      | 'Proposals'
      | 'Reports'
      | 'Schedules'
      | 'Ledger'
      | 'Agents'
      | 'Guide'
      | 'Profiles'
      | 'Settings',
  ): Promise<void>;
  search(text: string): Promise<void>;
  /** The row of a campaign in the list. */
  row(cid: number): Locator;
  /** Returns the campaign's id in a row of the list; the first row is 1. */
  cidInRow(row: number): Promise<number>;
  /** Searches for a campaign and opens its panel. */
  open(cid: number): Promise<Locator>;
  panel(cid: number): Locator;
  /** Types into a field of the open panel. */
  edit(cid: number, label: string, text: string): Promise<void>;
  /** Filters the list by a status. */
  filterStatus(status: string): Promise<void>;
  /** Selects the first rows of the list: clicks the first checkbox, then the last with Shift. */
  selectFirst(count: number): Promise<void>;
  /** Chooses the kind of a change of many campaigns. */
  chooseChange(name: string): Promise<void>;
  /** Returns the core's answer to a request of this page, or its error. */
  ask(request: AppRequest, input: object): Promise<unknown>;
  /**
   * Proposes a change of one field without the editor: drafts the change and passes the draft to the gate. Returns the id of
   * the proposal, or the reason of a refusal.
   */
  propose(cid: number, change: { field: string; from: unknown; to: unknown }): Promise<string>;
  /** Presses Review and returns the confirmation that opens. */
  review(cid: number): Promise<ConfirmationDriver>;
  /** Presses a button, or calls a function, that opens the confirmation, and returns its window. */
  confirmationFrom(press: Locator | (() => Promise<void>)): Promise<ConfirmationDriver>;
  /** Requests the confirmation of a proposal, and returns a window that loses and regains the focus like a person's window. */
  bringUp(proposalId: string): Promise<ConfirmationDriver>;
  /** Returns the address for agents once the endpoint is open. */
  agentAddress(): Promise<string>;
  /** Returns the ids of the undecided proposals, newest first, once there are `count`. */
  waiting(count: number): Promise<string[]>;
}

export function appDriver(host: AppHost): AppDriver {
  const { page, ask } = host;
  const panel = (cid: number): Locator => page.getByRole('region', { name: `Campaign ${cid}`, exact: true });
  const row = (cid: number): Locator =>
    page.getByRole('row').filter({ has: page.getByRole('gridcell', { name: String(cid), exact: true }) });
  const rowAt = (row: number): Locator => page.locator(`[role="row"][aria-rowindex="${row + 1}"]`);
  const until = (milestone: Milestone): Promise<void> => milestones[milestone](page).first().waitFor();

  async function search(text: string): Promise<void> {
    await page.getByLabel('Search campaigns').fill(text);
  }

  async function confirmationFrom(press: Locator | (() => Promise<void>)): Promise<ConfirmationDriver> {
    await host.turnTo();
    const pressIt = typeof press === 'function' ? press : () => press.click();
    return confirmationDriver(await host.confirmationAfter(pressIt));
  }

  return {
    page,
    until,
    turnTo: host.turnTo,
    async goTo(section) {
      await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: section }).click();
    },
    search,
    row,
    async cidInRow(row) {
      await until('list at rest');
      return Number(await rowAt(row).getByRole('gridcell').nth(1).innerText());
    },
    panel,
    async open(cid) {
      await search(String(cid));
      await page.locator(`${settledList}[aria-rowcount="2"]`).waitFor();
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
      await until('list at rest');
      const rows = page.locator('[role="row"][aria-busy="false"]');
      await rows.filter({ hasNotText: status }).first().waitFor({ state: 'detached' });
      await rows.first().waitFor();
    },
    async selectFirst(count) {
      await until('list at rest');
      const box = (row: number): Locator => rowAt(row).getByRole('checkbox');
      await box(1).click({ force: true });
      await box(count).click({ force: true, modifiers: ['Shift'] });
      await page
        .getByRole('status')
        .filter({ hasText: `${count} selected` })
        .waitFor();
    },
    async chooseChange(name) {
      const kinds = page.getByRole('group', { name: 'Change', exact: true });
      await kinds.getByRole('radio', { name, exact: true }).click({ force: true });
    },
    ask,
    async propose(cid, { field, from, to }) {
      const draft = { from, operations: [{ kind: 'set', value: to }] };
      await ask('drafts.change', { title: 'A change', changes: [{ cid, field, draft }] });
      const answer = await ask('drafts.propose', { cids: [cid] });
      const { proposed, refused } = answer as {
        proposed: { proposalId: string }[];
        refused: { message: string }[];
      };
      return proposed[0]?.proposalId ?? refused[0]?.message ?? '';
    },
    review: (cid) => confirmationFrom(panel(cid).getByRole('button', { name: /^Review change/ })),
    confirmationFrom,
    bringUp: async (proposalId) => confirmationDriver(await host.bringUp(proposalId)),
    async agentAddress() {
      const address = async (): Promise<string> => {
        const { endpoint } = (await ask('agents.get', {})) as { endpoint: { url: string } };
        return endpoint.url;
      };
      await expect.poll(address).toMatch(/^http/);
      return address();
    },
    async waiting(count) {
      const ids = async (): Promise<string[]> => {
        const list = { which: 'waiting', before: null, limit: 200 };
        const { items } = (await ask('proposals.list', list)) as { items: { id: string }[] };
        return items.map(({ id }) => id);
      };
      await expect.poll(async () => (await ids()).length).toBe(count);
      return ids();
    },
  };
}

/** Sets the hash of the address, and waits until the app has handled it: until then, the page before is still shown. */
export function goToHash(page: Page, hash: string): Promise<void> {
  return page.evaluate((hash) => {
    const before = location.href;
    const handled = new Promise<void>((resolve) =>
      window.addEventListener('hashchange', () => resolve(), { once: true }),
    );
    location.hash = hash;
    return location.href === before ? undefined : handled;
  }, hash);
}

/** Returns the undecided proposal for a campaign. */
export async function waitingFor(app: AppDriver, cid: number): Promise<string> {
  const { waiting: [id] = [] } = (await app.ask('campaigns.get', { cid })) as { waiting?: string[] };
  expect(id).toBeTypeOf('string');
  return id ?? '';
}

/** Opens the ledger and its newest change, and waits until the change is verified and has a row with these words. */
export async function untilInLedger({ page, goTo }: AppDriver, words: string | RegExp): Promise<void> {
  await goTo('Ledger');
  await page
    .getByText(/^(Ledger|Rows) verified/)
    .first()
    .waitFor();
  await page.getByRole('article').first().getByRole('button').first().click();
  await page.getByText(words).first().waitFor();
}

/** Skips the screen of the first start, which covers the list of a new data folder once its first rows are loaded. */
export async function skipFirstStart(page: Page): Promise<void> {
  const welcome = page.getByRole('dialog', { name: 'Welcome to Countersign' });
  await welcome.getByRole('button', { name: 'Skip' }).click();
  await welcome.waitFor({ state: 'detached' });
}
