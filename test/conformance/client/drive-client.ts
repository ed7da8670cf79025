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

/** The scenario and address that the suite gives to a client. */
export interface Reported {
  scenario: string;
  /** The endpoint, or the endpoint's origin. */
  url: string;
  /** The calls that the scenario expects; null if it accepts any. */
  toolCalls: readonly { name: string; arguments: JsonObject }[] | null;
}

/**
 * Uses a service as the app does: signs in if the service requires it, signs in again with more scopes if a tool needs them,
 * lists everything and calls every tool. Fails with the app's own errors.
 */
export async function driveClient({ scenario, url, toolCalls }: Reported): Promise<void> {
  const mcpUrl = url.replace(/\/(?:mcp)?$/, '');
  if (scenario.startsWith('auth/')) return driveSignedIn(mcpUrl);
  // A profile with a pasted token (contract §5.3, direct JWT mode). These scenarios do not check the token.
  const access = { token: async () => 'pasted', renew: async (refused: string) => refused };
  // The server of this scenario has a tool that cannot be called.
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

/** The suite's tools take numbers. One tool takes the first tool's schema instead, to see whether the whole schema arrived. */
function argumentsFor({ properties }: JsonObject, firstSchema: JsonObject): JsonObject {
  const names = Object.keys(properties ?? {});
  return Object.fromEntries(names.map((name, index) => [name, name === 'schema' ? firstSchema : index + 1]));
}

/** Acts as a person whose browser follows every redirect and who agrees to everything. */
async function visit(address: string): Promise<boolean> {
  void sleep(0)
    .then(() => fetch(address))
    .catch(() => undefined);
  return true;
}
