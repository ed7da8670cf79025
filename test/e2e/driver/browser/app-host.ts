import type { BrowserContext, Page } from 'playwright';
import type { AppRequest } from '#shared/app-api/index.ts';
import type { AppHost, ConfirmationHost } from '../host.ts';
import { browserConfirmation, openConfirmation } from './confirmation-host.ts';

/**
 * Opens the app at a one-time address in a page of a context, and waits for its session. A page that is left earlier has used
 * up its address without a session.
 */
export async function openApp(context: BrowserContext, address: string): Promise<AppHost> {
  const page = await context.newPage();
  await page.goto(address);
  await page.waitForFunction(() => sessionStorage.length > 0);
  let tab: ConfirmationHost | null = null;

  const ask = (request: AppRequest, input: object): Promise<unknown> => askOverHttp(page, request, input);
  return {
    page,
    ask,
    // Every page of this browser reports that it has the focus.
    turnTo: async () => undefined,
    async confirmationAfter(press) {
      const opened = page.context().waitForEvent('page');
      await press();
      const confirmation = browserConfirmation(await opened);
      await confirmation.page.getByRole('heading', { level: 1 }).waitFor();
      return confirmation;
    },
    async bringUp(id) {
      const { address } = (await ask('proposals.review', { id })) as { address: string };
      const { fingerprint } = (await ask('proposals.get', { id })) as { fingerprint: string };
      // A tab next to the app's page really loses the focus; a popup of this browser never does.
      if (tab === null || tab.page.isClosed()) tab = await openConfirmation(context, address);
      else await tab.page.goto(address);
      // The fingerprint is in the closed Technical details.
      await tab.page.getByTitle(fingerprint).first().waitFor({ state: 'attached' });
      return tab;
    },
  };
}

const askOverHttp = (page: Page, request: AppRequest, input: object): Promise<unknown> =>
  postAs(page, `/api/${request}`, input);

/** Requests the address of training from the host, as the real app's page does. */
export async function trainingAddress(page: Page): Promise<string> {
  const { address } = (await postAs(page, '/host/open-training', {})) as { address: string };
  return address;
}

async function postAs(page: Page, path: string, input: object): Promise<unknown> {
  // The page exchanges its ticket first, and cannot send requests before that.
  await page.waitForFunction(() => sessionStorage.getItem('countersign.session') !== null);
  return page.evaluate(
    async ({ path, input }) => {
      const answer = await fetch(path, {
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
    { path, input },
  );
}
