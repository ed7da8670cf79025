import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createBackend } from '#core/compose.ts';
import type { DemoCredential } from '#core/compose.ts';
import { systemClock } from '#core/platform/clock.ts';
import { DisposableStack } from '#core/platform/disposable.ts';
import { createIds } from '#core/platform/ids.ts';
import type { Console } from '../console.ts';
import { signalExitCodes } from '../exit-codes.ts';
import { withLog } from '../log.ts';
import { listenForStop } from '../stop.ts';

export interface ServeOptions {
  tenant: 'northwind' | 'meridian';
  port: number;
  campaigns?: number;
  dataFolder: string;
}

/** `countersign serve`: the embedded service alone, with the credentials of its demo accounts, until a signal ends it. */
export async function serve(options: ServeOptions, console: Console): Promise<number> {
  // Apart from the app's own service, which belongs to the app while it runs.
  const folder = join(options.dataFolder, 'serve');
  const stop = listenForStop();
  try {
    return await withLog(folder, console, async (logger) => {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const stack = new DisposableStack();
      try {
        const { tenant, port, campaigns } = options;
        const backend = stack.use(
          createBackend({
            tenant,
            port,
            consent: { kind: 'page' },
            file: join(folder, `${tenant}.sqlite`),
            clock: systemClock,
            ids: createIds(() => systemClock.nowMs()),
            logger,
            ...(campaigns === undefined ? {} : { campaigns }),
          }),
        );
        const { baseUrl } = await backend.listen();
        console.out(`base_url  ${baseUrl}`);
        for (const line of accountLines(Object.values(backend.issueDemoCredentials().accounts))) {
          console.out(line);
        }
        const lifetime = 'The tokens last 12 hours, or until this command ends. Ctrl-C ends it.';
        console.out(console.style.quiet(lifetime));
        return signalExitCodes[await stop.requested];
      } finally {
        await stack.dispose();
      }
    });
  } finally {
    stop.dispose();
  }
}

/** One line per account: name, uid, what it is for, token. */
function accountLines(accounts: readonly DemoCredential[]): string[] {
  const width = (column: 'name' | 'purpose') =>
    Math.max(...accounts.map((account) => account[column].length));
  return accounts.map(({ name, uid, purpose, memberToken }) =>
    [name.padEnd(width('name')), uid, purpose.padEnd(width('purpose')), memberToken].join('  '),
  );
}
