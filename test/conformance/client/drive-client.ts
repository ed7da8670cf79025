import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '#core/platform/clock.ts';
import { silentLogger } from '#core/platform/logger.ts';
import {
  createAccess,
  createMemoryGrants,
  createRemoteClient,
  signIn,
  type RemoteAccess,
  type RemoteClient,
} from '#core/service-client/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';

const timeoutMs = 10_000;

/** Scenario and address that the suite gives to a client. */
export interface Reported {
  scenario: string;
  /** The endpoint, or the origin that it is on. */
  url: string;
}

/**
 * Uses a service as the app does: signs in where that is asked for, once more with more scopes where a tool needs them,
 * lists everything and calls every tool. Fails as the app would.
 */
export async function driveClient({ scenario, url }: Reported): Promise<void> {
  const mcpUrl = url.replace(/\/(?:mcp)?$/, '');
  if (scenario.startsWith('auth/')) return driveSignedIn(mcpUrl);
  // A profile with a pasted token (contract §5.3, direct JWT mode): these scenarios look at no token.
  const access = { token: async () => 'pasted', renew: async (refused: string) => refused };
  return withTools(mcpUrl, access, callTools);
}

async function driveSignedIn(mcpUrl: string): Promise<void> {
  const store = createMemoryGrants();
  const shared = { mcpUrl, store, clock: systemClock, logger: silentLogger, timeoutMs };
  const access = createAccess(shared);
  const signInWith = (scopes: readonly string[]) =>
    signIn({ ...shared, scopes, open: visit, signal: AbortSignal.timeout(timeoutMs) });
  const granted = await signInWith([]);
  try {
    await withTools(mcpUrl, access, callTools);
  } catch (failure) {
    if (!(failure instanceof AppError) || failure.code !== 'scope_needed') throw failure;
    const needed = String(failure.data['scope'] ?? '').split(' ');
    await signInWith([...granted.scopes, ...needed].filter((scope) => scope !== ''));
    await withTools(mcpUrl, access, callTools);
  }
}

async function withTools(
  mcpUrl: string,
  access: RemoteAccess,
  work: (client: RemoteClient) => Promise<void>,
): Promise<void> {
  const client = createRemoteClient({ mcpUrl, access, timeoutMs, logger: silentLogger });
  try {
    await work(client);
  } finally {
    await client.dispose();
  }
}

async function callTools(client: RemoteClient): Promise<void> {
  const tools = await client.listTools();
  const schemas = tools.map(({ inputSchema }) => inputSchema as JsonObject);
  for (const [index, { name }] of tools.entries()) {
    await client.callTool(String(name), argumentsFor(schemas[index] ?? {}, schemas[0] ?? {}));
  }
}

/** The suite's tools take numbers, and one of them the first tool's schema, to see whether all of it came through. */
function argumentsFor({ properties }: JsonObject, firstSchema: JsonObject): JsonObject {
  const names = Object.keys(properties ?? {});
  return Object.fromEntries(names.map((name, index) => [name, name === 'schema' ? firstSchema : index + 1]));
}

/** A person whose browser goes where it is sent, and who agrees to everything. */
async function visit(address: string): Promise<boolean> {
  void sleep(0)
    .then(() => fetch(address))
    .catch(() => undefined);
  return true;
}
