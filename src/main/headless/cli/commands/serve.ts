import { join } from 'node:path';
import { createBackend, lockFolder } from '#core/compose.ts';
import type { Backend } from '#core/compose.ts';
import { systemClock } from '#core/platform/clock.ts';
import { DisposableStack } from '#core/platform/disposable.ts';
import { createIds } from '#core/platform/ids.ts';
import type { Logger } from '#core/platform/logger.ts';
import { counted } from '#shared/lib/counted.ts';
import type { Console } from '../console.ts';
import { signalExitCodes } from '../exit-codes.ts';
import { withLog } from '../log.ts';
import { describeService } from '../serve/describe-service.ts';
import { printService } from '../serve/print-service.ts';
import { listenForStop } from '../stop.ts';

export interface ServeOptions {
  tenant: 'northwind' | 'meridian';
  port: number;
  campaigns?: number;
  days?: number;
  dataFolder: string;
  /** `json`: exactly one line on stdout, a `ServedService`. */
  printCredentials: 'text' | 'json';
}

/** `countersign serve`: the embedded service alone, with the credentials of its demo accounts, until a signal ends it. */
export async function serve(options: ServeOptions, console: Console): Promise<number> {
  // Apart from the app's own service, which belongs to the app while it runs; and one folder, with its lock, per tenant.
  const folder = join(options.dataFolder, 'serve', options.tenant);
  const stop = listenForStop();
  try {
    return await withLog(folder, console, async (logger) => {
      const stack = new DisposableStack();
      try {
        stack.use(lockFolder({ folder, host: 'serve', clock: systemClock }));
        const allowDirectJwt = process.env['ALLOW_DIRECT_JWT'] === 'true';
        const backend = stack.use(createServed(options, { folder, logger, allowDirectJwt }));
        const addresses = await backend.listen();
        if (backend.setAside !== null) {
          console.err(`A damaged database was set aside, and a new one was made: ${backend.setAside}`);
        }
        const service = await describeService(backend, {
          ...addresses,
          tenant: options.tenant,
          allowDirectJwt,
        });
        if (options.printCredentials === 'json') console.out(JSON.stringify(service));
        else {
          printService(service, console);
          printEnd(service.mcp_access.expires_in, console);
        }
        return signalExitCodes[await stop.requested];
      } finally {
        await stack.dispose();
      }
    });
  } finally {
    stop.dispose();
  }
}

function createServed(
  { tenant, port, campaigns, days }: ServeOptions,
  { folder, logger, allowDirectJwt }: { folder: string; logger: Logger; allowDirectJwt: boolean },
): Backend {
  return createBackend({
    tenant,
    port,
    allowDirectJwt,
    consent: { kind: 'page' },
    file: join(folder, 'backend.sqlite'),
    clock: systemClock,
    ids: createIds(() => systemClock.nowMs()),
    logger,
    ...(campaigns === undefined ? {} : { campaigns }),
    ...(days === undefined ? {} : { days }),
  });
}

function printEnd(accessSeconds: number, { out, style }: Console): void {
  out();
  out(
    style.quiet(
      `Member tokens last 12 hours, the access token ${counted(Math.round(accessSeconds / 60), 'minute')}; password and keys until this command ends. Ctrl-C ends it.`,
    ),
  );
}
