import type { BrowserContext } from 'playwright';

/**
 * Collects complaints of a context's pages: errors, refused resources, and requests to addresses that do not begin with
 * `ours`. Includes complaints from before the first listener; complaints of closed pages are lost.
 */
export function gatherComplaints(context: BrowserContext, ours: string): () => Promise<string[]> {
  const strays: string[] = [];
  context.on('request', (request) => {
    if (!request.url().startsWith(ours)) strays.push(`asked for ${request.url()}`);
  });
  return async () => {
    const found = [...strays];
    for (const page of context.pages()) {
      for (const message of await page.consoleMessages({ filter: 'all' })) {
        if (message.type() === 'error') found.push(`${message.text()} (${message.location().url})`);
      }
      for (const { message } of await page.pageErrors({ filter: 'all' })) found.push(message);
    }
    return found;
  };
}
