import { randomBytes } from 'node:crypto';
import type { DemoCredentials } from '#core/backend/index.ts';
import { challengeOf, createTestClient } from '#test/core/oauth-server/test-client.ts';
import type { Code, Tokens } from '#test/core/oauth-server/test-client.ts';
import { answerRequest } from '#test/servers/person.ts';
import type { RunningBackend } from '../open-backend.ts';

/** A registered client and the tokens that a person's sign-in gave it. */
export interface SignedIn {
  clientId: string;
  tokens: Tokens;
}

/** Gets an authorization code through the real pages. */
export async function codeOf(
  service: RunningBackend,
  account: keyof DemoCredentials['accounts'] = 'buyer',
  scope = 'svc:read svc:write',
): Promise<Code> {
  const client = createTestClient(`http://127.0.0.1:${service.port}`);
  const clientId = await client.registered();
  const verifier = randomBytes(32).toString('base64url');
  const asked = { code_challenge: challengeOf(verifier), scope, state: null };
  const { accounts, password } = service.credentials;
  const left = await answerRequest(client.authorizeUrl(clientId, asked), {
    login: accounts[account].login,
    password,
  });
  const answer = new URL(left).searchParams;
  return { code: answer.get('code') ?? '', verifier, clientId, answer };
}

/** Registers a client, signs in through the real pages, and redeems the code. */
export async function signInAs(
  service: RunningBackend,
  account?: keyof DemoCredentials['accounts'],
  scope?: string,
): Promise<SignedIn> {
  const code = await codeOf(service, account, scope);
  const answer = await createTestClient(`http://127.0.0.1:${service.port}`).redeem(code);
  if (answer.status !== 200) throw new Error(`No tokens: ${answer.status} ${await answer.text()}`);
  return { clientId: code.clientId, tokens: (await answer.json()) as Tokens };
}
