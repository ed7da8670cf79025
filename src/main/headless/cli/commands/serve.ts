import { join } from 'node:path';
import {
  type Backend,
  createBackend,
  createIds,
  whileOpen,
  type FolderLock,
  lockFolder,
  type Logger,
  systemClock,
} from '#core/public.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import type { Console } from '../console.ts';
import { listenForStop, signalExitCodes } from '../failures.ts';
import { withLog } from '../log.ts';
import { describeService, type ServedAccount, type ServedService } from '../served-service.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

export interface ServeOptions {
  tenant: 'northwind' | 'meridian';
  port: number;
  campaigns?: number;
  days?: number;
  dataFolder: string;
  printCredentials: 'text' | 'json';
  json?: boolean;
}

export async function serve(options: ServeOptions, console: Console): Promise<number> {
  // Separate from the app's own service, whose data the app owns. Each tenant has its own folder with its own lock.
  const folder = join(options.dataFolder, 'serve', options.tenant);
  const stop = listenForStop();
  try {
    return await withLog(folder, console, (logger) =>
      whileOpen(async (stack) => {
        const lock = stack.use(lockFolder({ folder, host: 'serve', clock: systemClock }));
        const allowDirectJwt = process.env['ALLOW_DIRECT_JWT'] === 'true';
        const backend = stack.use(createServed(options, { folder, lock, logger, allowDirectJwt }));
        const addresses = await backend.listen();
        if (backend.setAside !== null) {
          console.err(
            `A damaged database was set aside, and a new one was made: ${inertText(backend.setAside)}`,
          );
        }
        const service = await describeService(backend, {
          ...addresses,
          tenant: options.tenant,
          allowDirectJwt,
        });
        if (options.json === true || options.printCredentials === 'json')
          console.out(JSON.stringify(service));
        else {
          printService(service, console);
          printEnd(service.mcp_access.expires_in, console);
        }
        return signalExitCodes[await stop.requested];
      }),
    );
  } finally {
    stop.dispose();
  }
}

function createServed(
  { tenant, port, campaigns, days }: ServeOptions,
  {
    folder,
    lock,
    logger,
    allowDirectJwt,
  }: { folder: string; lock: FolderLock; logger: Logger; allowDirectJwt: boolean },
): Backend {
  return createBackend({
    tenant,
    port,
    allowDirectJwt,
    consent: { kind: 'page' },
    file: join(folder, 'backend.sqlite'),
    lock,
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
      `Member tokens last 12 hours, the access token ${defaultFormats.counted(Math.round(accessSeconds / 60), 'minute')}; password and keys until this command ends. Ctrl-C ends it.`,
    ),
  );
}

function printService(service: ServedService, console: Console): void {
  printAddresses(service, console);
  printAccounts(service, console);
  for (const account of service.accounts)
    if (account.part === 'buyer') printMember(service, account, console);
  for (const account of service.accounts) printPublisher(service, account, console);
  printRemote(service, console);
}

function printAddresses({ tenant, addresses }: ServedService, { out, style }: Console): void {
  out(style.strong(`The embedded service, tenant ${tenant}`));
  printColumns(out, [
    ['base_url', addresses.base_url],
    ['api_url', addresses.api_url],
    ['mcp_url', addresses.mcp_url],
    ['MCP endpoint', addresses.mcp],
    ['protected resource', addresses.protected_resource_metadata],
    ['authorization server', addresses.authorization_server_metadata],
    ['health', addresses.health],
    ['ready', addresses.ready],
  ]);
}

function printAccounts({ accounts, password }: ServedService, { out, style }: Console): void {
  out();
  out(style.strong('Accounts'));
  out(`  Sign in to any account with the password ${style.strong(password)}`);
  printColumns(out, [
    ['login', 'uid', 'purpose'],
    ...accounts.map(({ login, uid, purpose }) => [login, String(uid), purpose]),
  ]);
}

function printMember(service: ServedService, { login, member_token }: ServedAccount, console: Console): void {
  const { out, style } = console;
  out();
  out(style.strong(`Member token of ${login}, for base_url`));
  out(`  ${member_token}`);
  printExamples(service, member_token, console);
}

function printPublisher(service: ServedService, account: ServedAccount, console: Console): void {
  const { out, style } = console;
  for (const { key, scopes, tids, feeds } of account.publisher_keys) {
    out();
    out(style.strong(`Publisher key of ${account.login}, for api_url`));
    printColumns(out, [
      ['key', key],
      ['scopes', scopes.join(' ')],
      ...(tids.length > 0 ? [['tid', tids.join(' ')]] : []),
      ...(feeds.length > 0 ? [['sid', feeds.join(' ')]] : []),
    ]);
    printExamples(service, key, console);
  }
}

function printRemote(service: ServedService, console: Console): void {
  const { out, style } = console;
  const { addresses, mcp_access: access, allow_direct_jwt: isDirect } = service;
  out();
  out(style.strong(`Remote tools of ${access.login}, for the MCP endpoint`));
  printColumns(out, [
    ['access token', access.access_token],
    ['refresh token', access.refresh_token],
    ['client id', access.client_id],
    ['scopes', access.scope],
  ]);
  printExamples(service, access.access_token, console);
  printExamples(service, access.refresh_token, console);
  out(style.quiet('  # an MCP client of your own signs in by itself; for one that speaks stdio only:'));
  out(`  npx mcp-remote ${addresses.mcp}`);
  if (isDirect) out('  Direct JWT is on (ALLOW_DIRECT_JWT): member tokens open the MCP endpoint too.');
}

function printExamples({ examples }: ServedService, credential: string, { out, style }: Console): void {
  for (const { title, command } of examples) {
    if (!command.includes(credential)) continue;
    out(style.quiet(`  # ${title}`));
    out(`  ${command}`);
  }
}

function printColumns(out: Console['out'], rows: readonly (readonly string[])[]): void {
  const width = (at: number): number => Math.max(...rows.map((row) => row[at]?.length ?? 0));
  for (const row of rows) {
    const cells = row.map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(width(at))));
    out(`  ${cells.join('  ')}`);
  }
}
