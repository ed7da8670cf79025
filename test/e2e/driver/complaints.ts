import type { BrowserContext } from 'playwright';

/**
 * Gathers complaints of a context's pages from their beginning, also from before the first listener: errors, refused resources,
 * and requests to anywhere but addresses that begin with `ours`. Pages that were closed take theirs along.
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
