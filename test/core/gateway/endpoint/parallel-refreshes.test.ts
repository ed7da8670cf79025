import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { expect, onTestFinished, test } from 'vitest';
import { redirectUri, type Tokens } from '#test/core/oauth-server/test-client.ts';
import { openEndpointWorld, type EndpointWorld } from './endpoint-world.ts';

/** A stored sign-in of a program, for the SDK's own client. */
interface Kept extends OAuthClientProvider {
  /** Scopes of discarded credentials, and `browser` for each visit to a browser. */
  lost: string[];
  saved: OAuthTokens[];
}

function keep(clientId: string, first: Tokens): Kept {
  let tokens: OAuthTokens | undefined = first;
  const kept: Kept = {
    lost: [],
    saved: [],
    redirectUrl: redirectUri,
    clientMetadata: { redirect_uris: [redirectUri] },
    clientInformation: () => ({ client_id: clientId }),
    tokens: () => tokens,
    saveTokens(next) {
      tokens = next;
      kept.saved.push(next);
    },
    redirectToAuthorization: () => void kept.lost.push('browser'),
    saveCodeVerifier() {},
    codeVerifier: () => 'v',
    invalidateCredentials(scope) {
      kept.lost.push(scope);
      tokens = undefined;
    },
  };
  return kept;
}

async function connect({ url }: EndpointWorld, authProvider: OAuthClientProvider): Promise<Client> {
  const client = new Client({ name: 'agent', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { authProvider }));
  onTestFinished(() => client.close());
  return client;
}

const agentsOf = async ({ world }: EndpointWorld) => (await world.core.handlers['agents.get']({})).agents;

/** Repeats a call once: the SDK's client fails a call whose 401 arrives while another call refreshes the token. */
async function whoami(client: Client): Promise<unknown> {
  const call = () => client.callTool({ name: 'svc_whoami', arguments: {} });
  return call().catch((failure: unknown) => {
    if (!String(failure).includes('401 after successful authentication')) throw failure;
    return call();
  });
}

test('several programs whose token expires at once can all continue, and the agent stays admitted', async () => {
  const endpointWorld = await openEndpointWorld({ campaigns: 1 });
  const { clientId, tokens } = await endpointWorld.enter({
    grant_types: ['authorization_code', 'refresh_token'],
  });
  const kept = keep(clientId, tokens);
  // Several programs share one stored sign-in, as the windows of an editor do.
  const clients = await Promise.all(Array.from({ length: 5 }, () => connect(endpointWorld, kept)));
  for (const _again of [1, 2]) {
    endpointWorld.world.clock.advance(10 * 60_000 + 1);
    expect(await Promise.all(clients.map(whoami))).toHaveLength(5);
    expect(kept.lost).toEqual([]);
    expect((await agentsOf(endpointWorld))[0]?.ended).toBeNull();
  }
});

test('a refresh token that is used again later ends the agent, as if it were stolen', async () => {
  const endpointWorld = await openEndpointWorld({ campaigns: 1 });
  const { clientId, tokens } = await endpointWorld.enter();
  const old = tokens.refresh_token ?? '';
  expect((await endpointWorld.client.refresh(clientId, old)).status).toBe(200);
  expect((await endpointWorld.client.refresh(clientId, old)).status).toBe(200);
  const atMs = endpointWorld.world.clock.nowMs();
  expect((await agentsOf(endpointWorld))[0]?.repeatedRefreshes).toEqual({ count: 1, lastMs: atMs });
  endpointWorld.world.clock.advance(10_000);
  expect((await endpointWorld.client.refresh(clientId, old)).status).toBe(400);
  expect((await agentsOf(endpointWorld))[0]).toMatchObject({ ended: { because: 'signed-out' } });
});
