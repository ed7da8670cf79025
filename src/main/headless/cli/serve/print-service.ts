import type { Console } from '../console.ts';
import type { ServedAccount, ServedService } from './served-service.ts';

/**
 * Prints what a person needs: addresses, accounts, and each credential with a call that works as it stands. A line with a
 * command has nothing else on it.
 */
export function printService(service: ServedService, console: Console): void {
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
  out(`  The sign-in page takes every login with the password ${style.strong(password)}`);
  printColumns(out, [
    ['login', 'uid', 'what it is for'],
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

/** The calls that use this credential. */
function printExamples({ examples }: ServedService, credential: string, { out, style }: Console): void {
  for (const { title, command } of examples) {
    if (!command.includes(credential)) continue;
    out(style.quiet(`  # ${title}`));
    out(`  ${command}`);
  }
}

/** Indented columns, every one as wide as its widest cell; the last one as it is. */
function printColumns(out: Console['out'], rows: readonly (readonly string[])[]): void {
  const width = (at: number): number => Math.max(...rows.map((row) => row[at]?.length ?? 0));
  for (const row of rows) {
    const cells = row.map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(width(at))));
    out(`  ${cells.join('  ')}`);
  }
}
