import * as oauth from 'oauth4webapi';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openServer } from './open-server.ts';
import type { RunningServer } from './open-server.ts';
import { createTestClient, redirectUri } from './test-client.ts';

let running: RunningServer;

beforeAll(async () => {
  running = await openServer();
});
afterAll(() => running.dispose());

test('a third-party client can discover, register, sign in, refresh and revoke', async () => {
  // The listener is on the loopback interface, without TLS.
  const insecure = { [oauth.allowInsecureRequests]: true };
  const resource = new URL(running.resource);
  const protectedResource = await oauth.processResourceDiscoveryResponse(
    resource,
    await oauth.resourceDiscoveryRequest(resource, insecure),
  );
  const issuer = new URL(protectedResource.authorization_servers?.[0] ?? '');
  const server = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { ...insecure, algorithm: 'oauth2' }),
  );
  expect(server.code_challenge_methods_supported).toEqual(['S256']);

  const registered = await oauth.processDynamicClientRegistrationResponse(
    await oauth.dynamicClientRegistrationRequest(
      server,
      {
        client_name: 'Independent',
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_method: 'none',
      },
      insecure,
    ),
  );
  const client: oauth.Client = { client_id: registered.client_id };
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const address = new URL(server.authorization_endpoint ?? '');
  address.search = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: redirectUri,
    response_type: 'code',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    resource: resource.href,
    scope: 'svc:read svc:write',
    state,
  }).toString();
  const arrived = await createTestClient(running.origin).walk(await fetch(address, { redirect: 'manual' }));

  const parameters = oauth.validateAuthResponse(server, client, arrived, state);
  const additionalParameters = { resource: resource.href };
  const tokens = await oauth.processAuthorizationCodeResponse(
    server,
    client,
    await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.None(),
      parameters,
      redirectUri,
      verifier,
      {
        ...insecure,
        additionalParameters,
      },
    ),
  );
  expect(tokens.scope).toBe('svc:read svc:write');
  const refreshed = await oauth.processRefreshTokenResponse(
    server,
    client,
    await oauth.refreshTokenGrantRequest(server, client, oauth.None(), tokens.refresh_token ?? '', {
      ...insecure,
      additionalParameters,
    }),
  );
  expect(await running.server.authenticate(refreshed.access_token)).toMatchObject({ subject: '7' });
  await oauth.processRevocationResponse(
    await oauth.revocationRequest(server, client, oauth.None(), refreshed.refresh_token ?? '', insecure),
  );
  expect(await running.server.authenticate(refreshed.access_token)).toBeNull();
});
