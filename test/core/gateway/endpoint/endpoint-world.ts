import { randomBytes } from 'node:crypto';
import type { ProposalView } from '#shared/app-api/index.ts';
import { challengeOf, createTestClient, redirectUri } from '#test/core/oauth-server/test-client.ts';
import type { Changes, TestClient, Tokens } from '#test/core/oauth-server/test-client.ts';
import { createWorld, type World, type WorldOptions } from '#test/core/proposals/world.ts';
import { createCookieBrowser, type CookieBrowser } from './cookie-browser.ts';

export const allScopes = 'svc:read svc:write svc:upload offline_access';

/** A core with an open gateway, its agents and its person. */
export interface EndpointWorld {
  world: World;
  url: string;
  origin: string;
  client: TestClient;
  /** Registers a client, and requests access in a new browser. */
  requestAccess(metadata?: object, clientId?: string, changes?: Changes): Promise<AccessRequest>;
  /** The pending admissions, newest first. */
  waiting(): Promise<ProposalView[]>;
  /** Reviews the first pending admission as a person, and allows or denies it. */
  answer(decision: 'allow' | 'deny', reason?: string): Promise<ProposalView>;
  /** Registers a client, admits it and returns its tokens. */
  enter(metadata?: object, changes?: Changes): Promise<{ clientId: string; tokens: Tokens }>;
}

/** A client that waits for admission. */
export interface AccessRequest {
  clientId: string;
  browser: CookieBrowser;
  page: Extract<Awaited<ReturnType<CookieBrowser['open']>>, { kind: 'page' }>;
  /** The PKCE verifier for the client's code. */
  verifier: string;
  /** Redeems the code from the redirect of the browser. */
  redeem(code: string): Promise<Response>;
}

export async function openEndpointWorld(options: WorldOptions = {}): Promise<EndpointWorld> {
  return reopenEndpoint(await createWorld(options));
}

/** The agents and the person of a running core. */
export async function reopenEndpoint(world: World): Promise<EndpointWorld> {
  await world.core.handlers['agents.openEndpoint']({ onAnotherPort: false });
  const { endpoint } = await world.core.handlers['agents.get']({});
  const { origin } = new URL(endpoint.url);
  // The first request fails if an idle connection belongs to the previous core.
  await fetch(origin).catch(() => fetch(origin));
  const client = createTestClient(origin);
  const { handlers } = world.core;

  async function waiting(): Promise<ProposalView[]> {
    const { items } = await handlers['proposals.list']({ which: 'waiting', before: null, limit: 50 });
    const admissions = items.filter(({ operation }) => operation === 'agent.admit');
    return Promise.all(admissions.map(({ id }) => handlers['proposals.get']({ id })));
  }

  const endpointWorld: EndpointWorld = {
    world,
    url: endpoint.url,
    origin,
    client,
    waiting,
    async requestAccess(metadata, known, changes = {}) {
      const clientId = known ?? (await client.registered(metadata));
      const verifier = randomBytes(32).toString('base64url');
      const browser = createCookieBrowser(origin);
      // Requests get different times, so that their order is known.
      world.clock.advance(1);
      const address = client.authorizeUrl(clientId, {
        code_challenge: challengeOf(verifier),
        scope: allScopes,
        ...changes,
      });
      return {
        clientId,
        browser,
        verifier,
        page: await browser.page(address),
        redeem: (code) =>
          client.token({
            grant_type: 'authorization_code',
            client_id: clientId,
            code,
            code_verifier: verifier,
            redirect_uri: redirectUri,
            resource: endpoint.url,
          }),
      };
    },
    async answer(decision, reason) {
      const [proposal] = await waiting();
      if (proposal === undefined) throw new Error('No agent asks for admission');
      const display = await world.look(proposal.id);
      const result = await (decision === 'allow' ? world.approve(display) : world.deny(display, reason));
      return result.proposal;
    },
    async enter(metadata, changes) {
      const { clientId, browser, redeem } = await endpointWorld.requestAccess(metadata, undefined, changes);
      await endpointWorld.answer('allow');
      const answer = await redeem((await browser.untilSent()).get('code') ?? '');
      if (answer.status !== 200) throw new Error(`No tokens: ${answer.status} ${await answer.text()}`);
      return { clientId, tokens: (await answer.json()) as Tokens };
    },
  };
  return endpointWorld;
}

/** Begins a session at the endpoint with this token. */
export function initialize(url: string, token: string | null): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'Test', version: '1' },
      },
    }),
  });
}
