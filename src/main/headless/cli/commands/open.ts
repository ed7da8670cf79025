import { createInterface } from 'node:readline';
import { type AsyncDisposable, keepHeapSmall, whileOpen } from '#core/public.ts';
import { builtPages, type PageSource } from '../../browser-host/built-pages.ts';
import { startBrowserHost } from '../../browser-host/start-browser-host.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import { anchorText } from '../../terminal/proposal-text.ts';
import type { Console } from '../console.ts';
import { listenForStop, signalExitCodes } from '../failures.ts';
import { withLog } from '../log.ts';
import type { Installation } from '../installation.ts';
import { openInBrowser } from '../open-in-browser.ts';

export async function open(
  options: OpenOptions,
  { version, rendererFolder }: Installation,
  console: Console,
): Promise<number> {
  return runBrowserHost(options, { version, console, pages: builtPages(rendererFolder) });
}

export interface OpenOptions {
  dataFolder: string;
  campaigns?: number;
  open: boolean;
  json?: boolean;
}

export interface BrowserHostContext {
  version: string;
  console: Console;
  pages: PageSource;
}

export async function runBrowserHost(
  { dataFolder, campaigns, open, json = false }: OpenOptions,
  { version, console, pages }: BrowserHostContext,
): Promise<number> {
  keepHeapSmall();
  const stop = listenForStop();
  try {
    return await withLog(dataFolder, console, (logger) =>
      whileOpen(async (stack) => {
        const choices = {
          offersFirstStart: true,
          ...(campaigns !== undefined && { demoCampaigns: campaigns }),
        };
        const host = stack.use(await startBrowserHost({ pages, dataFolder, version, logger, ...choices }));
        for (const file of host.core.info.setAsideFiles) {
          console.err(`A damaged database was set aside, and a new one was made: ${inertText(file)}`);
        }
        const ledger = await host.core.handlers['ledger.report']({});
        if (ledger.problem !== null) console.err(`The ledger does not verify: ${ledger.problem.text}`);
        const anchor = anchorText(ledger);
        if (anchor !== null) console.err(anchor);
        if (json) console.out(JSON.stringify({ version, address: host.address() }));
        else {
          console.out(`Countersign ${version}, Demo. Open this address; it works once:`);
          console.out(host.address());
        }
        if (open) stack.use(openInBrowser(host.address(), dataFolder));
        if (console.interactive && !json) stack.use(offerAddresses(console, () => host.address()));
        return signalExitCodes[await stop.requested];
      }),
    );
  } finally {
    stop.dispose();
  }
}

function offerAddresses(console: Console, address: () => string): AsyncDisposable {
  console.out('o and Enter prints another address. Ctrl-C ends.');
  // Does not use a line editor, so that the terminal's own editing works and Ctrl-C stays a signal.
  const lines = createInterface({ input: console.input, terminal: false });
  lines.on('line', (line) => {
    if (line.trim() === 'o') console.out(address());
  });
  return {
    dispose: async () => {
      lines.close();
      console.input.pause();
    },
  };
}
