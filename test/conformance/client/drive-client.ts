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

const timeoutMs = 60_000;

/** Scenario and address that the suite gives to a client. */
export interface Reported {
  scenario: string;
  /** The endpoint, or the origin that it is on. */
  url: string;
  /** The calls that the scenario wants; null if it takes any. */
  toolCalls: readonly { name: string; arguments: JsonObject }[] | null;
}

/**
 * Uses a service as the app does: signs in where that is asked for, once more with more scopes where a tool needs them,
 * lists everything and calls every tool. Fails as the app would.
 */
export async function driveClient({ scenario, url, toolCalls }: Reported): Promise<void> {
  const mcpUrl = url.replace(/\/(?:mcp)?$/, '');
  if (scenario.startsWith('auth/')) return driveSignedIn(mcpUrl);
  // A profile with a pasted token (contract §5.3, direct JWT mode): these scenarios look at no token.
  const access = { token: async () => 'pasted', renew: async (refused: string) => refused };
  // The scenario's server has a tool that cannot be called.
  if (scenario === 'json-schema-ref-no-deref') return withTools(mcpUrl, access, callGiven([]));
  return withTools(mcpUrl, access, toolCalls === null ? callTools : callGiven(toolCalls));
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
    if (!(failure instanceof AppError) || !['scope_needed', 'sign_in_needed'].includes(failure.code)) {
      throw failure;
    }
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

function callGiven(calls: NonNullable<Reported['toolCalls']>) {
  return async (client: RemoteClient): Promise<void> => {
    await client.listTools();
    for (const { name, arguments: args } of calls) await client.callTool(name, args);
  };
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
