import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createAsker } from '#core/doctor/answers/ask.ts';
import { systemClock } from '#core/platform/clock.ts';
import { silentLogger as logger } from '#core/platform/logger.ts';
import {
  createMemberClient,
  createUrlPolicy,
  RequestFailure,
  requestText,
  setSystemNetwork,
  type SystemNetwork,
} from '#core/service-client/index.ts';
import { readProxies } from '#system/http/system-network.ts';
import { createGuardedFetch } from '#core/service-client/oauth/oauth-requests.ts';
import {
  publicName,
  startSecureService,
  startTunnelProxy,
  type SecureService,
  type TunnelProxy,
} from '#test/servers/company-network.ts';
import { makeAuthority } from '#test/servers/private-authority.ts';
import { failureOf } from '#test/core/service-client/failure-of.ts';
import { watchReach } from '#test/core/service-client/oauth/watch-reach.ts';

const credential = 'planted-and-never-to-be-quoted';

function systemSays(network: Partial<SystemNetwork>): void {
  const used = setSystemNetwork({ certificates: () => [], ...network });
  onTestFinished(used.dispose);
}

/** A service behind a proxy, with a certificate from an authority that the system trusts. */
async function behindProxy(
  rules = '',
): Promise<{ service: SecureService; proxy: TunnelProxy; asked: string[] }> {
  const service = await startSecureService();
  const proxy = await startTunnelProxy();
  const asked: string[] = [];
  systemSays({
    certificates: () => [service.authority],
    async proxiesFor(origin) {
      asked.push(origin);
      return `${rules}${proxy.rule}`;
    },
  });
  return { service, proxy, asked };
}

function memberOf(origin: string, timeoutMs = 5_000) {
  return createMemberClient({
    baseUrl: `${origin}/api/v1`,
    token: async () => credential,
    timeoutMs,
    logger,
  });
}

function get(origin: string, options: { ownConnection?: boolean; signal?: AbortSignal } = {}) {
  const { signal = AbortSignal.timeout(5_000), ownConnection = false } = options;
  return requestText({
    method: 'GET',
    url: new URL(`${origin}/x`),
    headers: { authorization: credential },
    credential,
    ownConnection,
    signal,
  });
}

async function requestFailureOf(work: Promise<unknown>): Promise<RequestFailure> {
  const failure: unknown = await work.then(
    () => new Error('It did not fail'),
    (reason: unknown) => reason,
  );
  if (failure instanceof RequestFailure) return failure;
  throw failure;
}

async function doctorSays(origin: string): Promise<string> {
  const { signal } = new AbortController();
  const asked = await createAsker({ timeoutMs: 5_000, signal, clock: systemClock }).ask(`${origin}/health`);
  return asked.kind === 'none' ? asked.because : String(asked.status);
}

describe('certificates', () => {
  test('an untrusted certificate authority is named, and nothing is sent', async () => {
    const service = await startSecureService();
    systemSays({});
    const failure = await failureOf(memberOf(service.localOrigin).get(7));
    expect(failure.code).toBe('certificate_untrusted');
    expect((await requestFailureOf(get(service.localOrigin))).sent).toBe(false);
    expect(await doctorSays(service.localOrigin)).toBe('certificate');
    expect(service.received).toEqual([]);
  });

  test.each([false, true])(
    'no environment variable turns the check off (behind a proxy: %s)',
    async (isBehind) => {
      vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
      onTestFinished(() => void vi.unstubAllEnvs());
      const service = await startSecureService();
      const proxy = await startTunnelProxy();
      systemSays({ proxiesFor: async () => proxy.rule });
      const client = memberOf(isBehind ? service.origin : service.localOrigin);
      expect((await failureOf(client.get(7))).code).toBe('certificate_untrusted');
      expect(service.received).toEqual([]);
    },
  );

  test('a certificate authority that the system trusts is trusted', async () => {
    const service = await startSecureService();
    systemSays({ certificates: () => [service.authority] });
    expect((await get(service.localOrigin)).status).toBe(200);
    expect(await doctorSays(service.localOrigin)).toBe('200');
  });

  test('if the system’s certificate store cannot be read, the built-in authorities are trusted', async () => {
    const service = await startSecureService();
    systemSays({
      certificates() {
        throw new Error('The store is locked');
      },
    });
    expect((await failureOf(memberOf(service.localOrigin).get(7))).code).toBe('certificate_untrusted');
  });

  test('a certificate is checked inside a proxy’s tunnel as well, so a proxy cannot answer for the service', async () => {
    const service = await startSecureService();
    const proxy = await startTunnelProxy();
    systemSays({ proxiesFor: async () => proxy.rule });
    expect((await failureOf(memberOf(service.origin).get(7))).code).toBe('certificate_untrusted');
    expect(service.received).toEqual([]);
  });
});

describe('a proxy', () => {
  test('connects to a live service and sees only its name', async () => {
    const { service, proxy } = await behindProxy();
    expect((await get(service.origin)).text).toBe('{}');
    expect(service.received).toEqual(['GET /x']);
    expect(proxy.asked).toEqual([`${publicName}:${service.port}`]);
    expect(proxy.heard).not.toContain(credential);
  });

  test('is never used for the loopback address', async () => {
    const { service, proxy, asked } = await behindProxy();
    expect((await get(service.localOrigin)).status).toBe(200);
    expect(proxy.asked).toEqual([]);
    expect(asked).toEqual([]);
  });

  test('keeps its tunnel for the next request, unless that needs a connection of its own', async () => {
    const { service, proxy, asked } = await behindProxy();
    await get(service.origin);
    await get(service.origin);
    expect(proxy.asked).toHaveLength(1);
    await get(service.origin, { ownConnection: true });
    expect(proxy.asked).toHaveLength(2);
    // The system's answer is cached for a while, so it is not asked for every request.
    expect(asked).toEqual([service.origin]);
  });

  test('may speak TLS itself', async () => {
    const service = await startSecureService();
    const own = makeAuthority('localhost');
    const proxy = await startTunnelProxy(own);
    systemSays({
      certificates: () => [service.authority, own.authority],
      proxiesFor: async () => proxy.rule,
    });
    expect((await get(service.origin)).status).toBe(200);
    expect(proxy.asked).toHaveLength(1);
  });

  test('that does not answer is skipped, and the next one is used', async () => {
    const gone = await startTunnelProxy();
    await gone.stop();
    const { service, proxy } = await behindProxy(`${gone.rule}; SOCKS5 localhost:1; `);
    expect((await get(service.origin)).status).toBe(200);
    expect(proxy.asked).toHaveLength(1);
  });

  test('is not used if the system says so or names none in time', async () => {
    const origin = `https://${publicName}`;
    const reach = watchReach();
    for (const proxiesFor of [
      async () => 'DIRECT',
      async () => '',
      () => Promise.reject(new Error('No answer')),
    ]) {
      systemSays({ proxiesFor });
      // The tests may not reach this host, so only the failure is awaited.
      expect((await requestFailureOf(get(origin))).sent).toBe(false);
    }
    expect(reach.connections).toEqual(Array.from({ length: 3 }, () => `${publicName}:443`));
  });
});

describe('a proxy that opens no tunnel is named in the error, and nothing is sent:', () => {
  test.each([
    ['asks for a sign-in', 407, 'proxy_sign_in_needed', 'proxy-sign-in'],
    ['refuses', 403, 'proxy_refused', 'proxy'],
    ['cannot reach the service', 502, 'proxy_refused', 'proxy'],
  ])('it %s', async (_, status, code, because) => {
    const { service, proxy } = await behindProxy();
    proxy.refuseWith(status);
    expect((await failureOf(memberOf(service.origin).get(7))).code).toBe(code);
    expect((await requestFailureOf(get(service.origin))).sent).toBe(false);
    expect(await doctorSays(service.origin)).toBe(because);
    // The outcome of a write is settled by a read, as after every failed connection.
    expect((await failureOf(memberOf(service.origin).update(7, '{"a":1}'))).code).toBe('outcome_unknown');
    expect(service.received).toEqual([]);
  });

  test.each([
    [
      'is not there',
      async () => {
        const { service, proxy } = await behindProxy();
        await proxy.stop();
        return service;
      },
    ],
    [
      'is of a kind that Countersign does not speak',
      async () => {
        const service = await startSecureService();
        systemSays({ proxiesFor: async () => 'SOCKS5 localhost:1080' });
        return service;
      },
    ],
  ])('it %s', async (_, start) => {
    const service = await start();
    expect((await failureOf(memberOf(service.origin).get(7))).code).toBe('proxy_refused');
    expect((await requestFailureOf(get(service.origin))).sent).toBe(false);
  });
});

describe('behind a proxy, the app knows as well as without one what was sent:', () => {
  test('nothing, if the tunnel ends before the certificate was checked', async () => {
    const { service, proxy } = await behindProxy();
    proxy.cutAtOnce();
    expect((await requestFailureOf(get(service.origin))).sent).toBe(false);
  });

  test('a write may have arrived if the tunnel ends during it, and is not sent again', async () => {
    const { service, proxy } = await behindProxy();
    service.answerWith(() => proxy.cut());
    expect((await failureOf(memberOf(service.origin).update(7, '{"a":1}'))).code).toBe('outcome_unknown');
    expect(service.received).toHaveLength(1);
    const failure = await requestFailureOf(get(service.origin, { ownConnection: true }));
    expect(failure.sent).toBe(true);
  });

  test('an answer is lost if the tunnel ends before it is complete', async () => {
    const { service, proxy } = await behindProxy();
    service.answerWith((_request, response) => {
      response.writeHead(200, { 'content-length': '10' }).write('{', () => proxy.cut());
    });
    expect((await requestFailureOf(get(service.origin))).sent).toBe(true);
  });

  test('a redirect inside a tunnel is not followed', async () => {
    const { service, proxy } = await behindProxy();
    service.answerWith((_request, response) => {
      response.writeHead(307, { location: 'https://elsewhere.example.com/' }).end();
    });
    expect((await requestFailureOf(get(service.origin))).isRedirect).toBe(true);
    expect(proxy.asked).toHaveLength(1);
  });

  test('a deadline includes the time for the system and the proxy to answer', async () => {
    const service = await startSecureService();
    const proxy = await startTunnelProxy();
    proxy.fallSilent();
    for (const proxiesFor of [async () => proxy.rule, () => new Promise<string>(() => {})]) {
      systemSays({ proxiesFor });
      const failure = await requestFailureOf(get(service.origin, { signal: AbortSignal.timeout(500) }));
      expect([failure.sent, failure.isLate]).toEqual([false, true]);
    }
    expect(proxy.asked).toHaveLength(1);
  });
});

describe('host names from a service’s document', () => {
  const policy = createUrlPolicy({ mcpUrl: 'https://mcp.example.org' });
  const form = { method: 'POST', headers: {}, body: credential };

  function token(service: SecureService, lookup: () => Promise<string[]>) {
    return createGuardedFetch({ policy, timeoutMs: 5_000, lookup })(`${service.origin}/token`, form);
  }

  test('that lead into a private network are refused, with a proxy as without one', async () => {
    const { service, proxy } = await behindProxy();
    const failure = await failureOf(token(service, async () => ['10.0.0.1']));
    expect(failure.code).toBe('address_refused');
    expect(proxy.asked).toEqual([]);
  });

  test('that only the proxy can resolve are left to the proxy', async () => {
    const { service, proxy } = await behindProxy();
    expect((await token(service, () => Promise.reject(new Error('ENOTFOUND')))).status).toBe(200);
    expect(proxy.asked).toEqual([`${publicName}:${service.port}`]);
  });

  test('that this computer cannot resolve are never connected to directly', async () => {
    const service = await startSecureService();
    const gone = await startTunnelProxy();
    await gone.stop();
    systemSays({ certificates: () => [service.authority], proxiesFor: async () => `${gone.rule}; DIRECT` });
    const reach = watchReach();
    const failure = await failureOf(token(service, () => Promise.reject(new Error('ENOTFOUND'))));
    expect(failure.code).toBe('proxy_refused');
    expect(reach.connections).toEqual([`localhost:${gone.port}`]);
  });
});

test.each([
  ['', ['direct']],
  ['DIRECT', ['direct']],
  ['PROXY a.example:8080; DIRECT', [{ host: 'a.example', port: 8080, isSecure: false }, 'direct']],
  ['HTTPS a.example:443;', [{ host: 'a.example', port: 443, isSecure: true }]],
  ['HTTP [::1]:3128', [{ host: '::1', port: 3128, isSecure: false }]],
  ['SOCKS5 a.example:1080;PROXY a.example:99999;nonsense', ['unsupported', 'unsupported', 'unsupported']],
])('the answer “%s” of a proxy script is understood', (text, routes) => {
  expect(readProxies(text)).toEqual(routes);
});
