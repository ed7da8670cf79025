import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { DiagnosticTarget } from '#core/doctor/index.ts';
import { createMemoryGrants } from '#core/service-client/index.ts';
import type { DoctorStepId } from '#shared/app-api/index.ts';
import { startBackend, type RunningBackend } from '#test/core/backend/open-backend.ts';
import {
  jsonAnswer,
  startBrokenService,
  type BrokenAnswer,
  type BrokenRequest,
  type Breakage,
} from '#test/servers/broken-service.ts';
import { whoami } from '#core/doctor/steps/reads.ts';
import type { Examination } from '#core/doctor/steps/step.ts';
import { createManualClock } from '#test/servers/manual-clock.ts';
import { accessOf, byState, examinedBriefly, stepOf, healthyTarget } from './target.ts';

let service: RunningBackend;
beforeAll(async () => {
  service = await startBackend({ campaigns: 10, days: 3 });
});
afterAll(() => service.dispose());

interface Case {
  breakage: Breakage;
  target?: Partial<DiagnosticTarget>;
  failed?: DoctorStepId[];
  notice?: DoctorStepId[];
  skipped?: DoctorStepId[];
  /** Pattern for the answer of the first step that failed or has a notice. */
  answer?: RegExp;
  means: RegExp;
  remedy: RegExp;
}

const resource = '/.well-known/oauth-protected-resource/mcp';
const server = '/.well-known/oauth-authorization-server';
const none = { access: null, memberToken: null, publisherKey: null, grants: createMemoryGrants() };
const signedOut: DoctorStepId[] = ['sign-in', 'whoami', 'tools', 'member-list', 'publisher-reports'];

/** Changes members of a JSON document; undefined removes a member. */
function withMembers(path: string, members: Record<string, unknown>): Breakage {
  return {
    change(answer, request) {
      if (request.path !== path) return;
      answer.body = JSON.stringify({ ...(JSON.parse(answer.body) as object), ...members });
    },
  };
}

function dated(offMs: number): Breakage {
  return {
    change(answer) {
      answer.headers['date'] = new Date(Date.now() + offMs).toUTCString();
    },
  };
}

const at =
  (path: RegExp, answer: BrokenAnswer) =>
  (request: BrokenRequest): BrokenAnswer | null =>
    path.test(request.path) ? answer : null;

const page = { status: 200, headers: { 'content-type': 'text/html' }, body: '<!doctype html><p>Welcome</p>' };
const refused = (status: number, message: string, headers = {}): BrokenAnswer =>
  jsonAnswer(status, { status: 'error', message }, headers);

const oldProtocol = {
  protocolVersion: '1999-01-01',
  capabilities: {},
  serverInfo: { name: 'old', version: '1' },
};

const cases: Record<string, Case> = {
  'another resource in its document': {
    breakage: withMembers(resource, { resource: 'https://other.example/mcp' }),
    failed: ['protected-resource'],
    answer: /^200 in/,
    means: /calls itself “https:\/\/other\.example\/mcp” in place of http:\/\/127/,
    remedy: /exact tools address/,
  },
  'no authorization server': {
    breakage: withMembers(resource, { authorization_servers: [] }),
    failed: ['protected-resource'],
    means: /names no authorization server/,
    remedy: /the operator of the service/,
  },
  'an authorization server inside a private network': {
    breakage: withMembers(resource, { authorization_servers: ['https://10.0.0.8'] }),
    failed: ['protected-resource'],
    skipped: ['authorization-server'],
    means: /10\.0\.0\.8/,
    remedy: /Nothing was opened or sent there/,
  },
  'another issuer': {
    breakage: withMembers(server, { issuer: 'https://evil.example' }),
    target: none,
    failed: ['authorization-server'],
    skipped: ['registration', ...signedOut],
    means: /calls itself “https:\/\/evil\.example” in place of “http:\/\/127/,
    remedy: /sign-in cannot be used/,
  },
  'no PKCE by S256': {
    breakage: withMembers(server, { code_challenge_methods_supported: ['plain'] }),
    failed: ['authorization-server'],
    means: /does not offer PKCE by S256/,
    remedy: /the operator of the service/,
  },
  'a token endpoint elsewhere': {
    breakage: withMembers(server, { token_endpoint: 'http://10.1.2.3/token' }),
    failed: ['authorization-server'],
    means: /token_endpoint/,
    remedy: /the operator of the service/,
  },
  'registration closed': {
    breakage: withMembers(server, { registration_endpoint: undefined }),
    target: none,
    failed: ['registration'],
    skipped: signedOut,
    means: /offers no registration/,
    remedy: /open dynamic registration/,
  },
  'a registration endpoint that Countersign does not open': {
    breakage: withMembers(server, { registration_endpoint: 'file:///etc/passwd' }),
    target: none,
    failed: ['authorization-server'],
    skipped: ['registration', ...signedOut],
    means: /registration_endpoint/,
    remedy: /the operator of the service/,
  },
  'the wrong host name': {
    breakage: { host: 'other.example' },
    failed: ['health'],
    skipped: [
      'ready',
      'protected-resource',
      'authorization-server',
      'sign-in',
      'whoami',
      'tools',
      'member-list',
      'publisher-reports',
    ],
    answer: /^421 in/,
    means: /does not answer under this host name/,
    remedy: /exact host name/,
  },
  'every token refused': {
    breakage: { instead: at(/^\/(mcp|api|publisher|xml)/, refused(401, 'Sign in first.')) },
    failed: ['whoami', 'member-list', 'publisher-reports'],
    skipped: ['tools'],
    means: /takes no token of this sign-in/,
    remedy: /Sign in to “Meridian” on the Profiles page/,
  },
  'a clock an hour ahead': {
    breakage: dated(3_600_000),
    failed: ['health'],
    means: /clock is 60 min ahead of this computer’s/,
    remedy: /set its clock by the network/,
  },
  'a clock two minutes behind': {
    breakage: dated(-150_000),
    notice: ['health'],
    means: /clock is 3 min behind this computer’s|clock is 2 min behind/,
    remedy: /set its clock by the network/,
  },
  'a web page in place of everything': {
    breakage: { instead: () => page },
    failed: [
      'health',
      'ready',
      'protected-resource',
      'authorization-server',
      'whoami',
      'member-list',
      'publisher-reports',
    ],
    skipped: ['tools'],
    means: /web page came in place of the service’s answer/,
    remedy: /asks you to sign in first/,
  },
  'a web page in place of the campaigns': {
    breakage: { instead: at(/\/login\/campaigns/, page) },
    failed: ['member-list'],
    answer: /A web page came in place of the service’s answer/,
    means: /web page came in place of the service’s answer/,
    remedy: /asks you to sign in first/,
  },
  'an error with a status of success in place of the campaigns': {
    breakage: { instead: at(/\/login\/campaigns/, { ...refused(200, 'Not for you') }) },
    failed: ['member-list'],
    answer: /The service says: “Not for you”/,
    means: /gave an error in place of the data/,
    remedy: /operator of the service/,
  },
  'a redirect': {
    breakage: {
      instead: at(/^\/health/, {
        status: 302,
        headers: { location: 'https://new.example/x?token=hush' },
        body: '',
      }),
    },
    failed: ['health'],
    means: /sends elsewhere, to “https:\/\/new\.example”, and Countersign follows no redirect/,
    remedy: /address that the service really answers at/,
  },
  'a redirect where the token goes': {
    breakage: {
      instead: at(/^\/api/, { status: 307, headers: { location: 'https://new.example/' }, body: '' }),
    },
    failed: ['member-list'],
    means:
      /sends elsewhere, and Countersign never follows with a credential\. It leads to “https:\/\/new\.example”\.$/,
    remedy: /really answers at/,
  },
  'a portal of this network before the campaigns': {
    breakage: { instead: at(/^\/api/, page) },
    failed: ['member-list'],
    means: /web page came in place of the service’s answer/,
    remedy: /asks you to sign in first/,
  },
  'a portal of this network before the reports': {
    breakage: { instead: at(/^\/publisher/, page) },
    failed: ['publisher-reports'],
    means: /web page came in place of the service’s answer/,
    remedy: /asks you to sign in first/,
  },
  'no such address': {
    breakage: { instead: () => jsonAnswer(404, {}) },
    failed: [
      'health',
      'ready',
      'protected-resource',
      'authorization-server',
      'whoami',
      'member-list',
      'publisher-reports',
    ],
    skipped: ['tools'],
    means: /nothing at this path/,
    remedy: /exact tools address/,
  },
  'not ready anywhere': {
    breakage: { instead: at(/^\/(ready|mcp|api)/, refused(503, 'Later.', { 'retry-after': '1' })) },
    failed: ['ready', 'whoami', 'member-list'],
    skipped: ['tools'],
    means: /alive but not ready/,
    remedy: /Wait until it is ready again/,
  },
  'a quota that is used up': {
    breakage: { instead: at(/^\/mcp/, refused(429, 'Slow down.', { 'retry-after': '60' })) },
    failed: ['whoami'],
    skipped: ['tools'],
    means: /quota/,
    remedy: /Wait a few minutes/,
  },
  'a firewall': {
    breakage: { instead: at(/^\/health/, refused(403, 'No.')) },
    failed: ['health'],
    means: /turns this computer away/,
    remedy: /whether this network may reach it/,
  },
  'remote tools of another protocol': {
    breakage: { instead: at(/^\/mcp/, jsonAnswer(200, { jsonrpc: '2.0', id: 0, result: oldProtocol })) },
    failed: ['whoami'],
    skipped: ['tools'],
    means: /does not speak the protocol/,
    remedy: /^Send this report to the operator of the service\.$/,
  },
  'campaigns of a user who is no advertiser': {
    breakage: { instead: at(/^\/api/, refused(403, 'Not a member.')) },
    failed: ['member-list'],
    answer: /^403: .*The service says: “Not a member\.”$/,
    means: /is no advertiser member/,
    remedy: /valid member token/,
  },
  'rows beyond perPage': {
    breakage: {
      change(answer, { path }) {
        if (!path.endsWith('/login/campaigns/campaigns')) return;
        const body = JSON.parse(answer.body) as { data: { data: unknown[] } };
        body.data.data.push(...body.data.data);
        answer.body = JSON.stringify(body);
      },
    },
    notice: ['member-list'],
    means: /4 rows where 2 were asked for/,
    remedy: /Send this report/,
  },
  'another host name at the campaigns alone': {
    breakage: { instead: at(/^\/api/, refused(421, 'Not here.')) },
    failed: ['member-list'],
    means: /does not answer under this host name/,
    remedy: /exact host name/,
  },
  'a TID that the key does not open': {
    breakage: { instead: at(/^\/xml/, refused(403, 'Not yours.')) },
    notice: ['publisher-reports'],
    means: /does not open the XML statistics of TID \d+/,
    remedy: /which TIDs and scopes/,
  },
};

describe('the doctor examines a broken service and', () => {
  test.each(Object.entries(cases))(
    'explains what fails, what it means and what to do: %s',
    async (_name, broken) => {
      const { breakage, failed = [], notice = [], skipped = [], answer, means, remedy } = broken;
      const { addresses } = await startBrokenService(service.port, breakage);
      const report = await examinedBriefly(await healthyTarget(service, { addresses, ...broken.target }));
      const states = byState(report);
      expect({ failed: [], notice: [], skipped: [], ...states, ok: [] }).toEqual({
        failed,
        notice,
        skipped,
        ok: [],
      });
      const [first] = [...failed, ...notice];
      const step = stepOf(report, first ?? 'health');
      expect(step.means).toMatch(means);
      expect(step.remedy).toMatch(remedy);
      if (answer !== undefined) expect(step.answer).toMatch(answer);
      for (const each of report.steps) {
        if (each.state === 'failed' || each.state === 'notice') expect(each.remedy, each.id).not.toBeNull();
        if (each.state === 'skipped') expect(each.means, each.id).not.toBeNull();
      }
    },
  );

  test('names the part that is not ready in a service that is alive', async () => {
    const disarm = service.backend.faults.arm({ kind: 'not-ready', part: 'durable_storage' });
    onTestFinished(disarm);
    const report = await examinedBriefly(await healthyTarget(service));
    expect(byState(report).failed).toEqual(['ready']);
    expect(stepOf(report, 'ready')).toMatchObject({
      means: 'The service is alive but not ready: it says that this is away: “durable_storage”.',
      remedy: expect.stringMatching(/Wait until it is ready again/) as string,
    });
  });

  test('reports a closed port once without waiting for it again', async () => {
    const report = await examinedBriefly(await healthyTarget(service, { addresses: await nobody() }));
    expect(byState(report).failed).toEqual(['health']);
    expect(byState(report).skipped).toHaveLength(8);
    expect(stepOf(report, 'health')).toMatchObject({
      answer: expect.stringMatching(/^the connection was refused, after/) as string,
      means: expect.stringMatching(/^Nothing listens at “http:\/\/127/) as string,
      remedy: expect.stringMatching(/host and the port/) as string,
    });
    expect(stepOf(report, 'whoami').means).toMatch(/^No answer from .*, as seen above\.$/);
    expect(stepOf(report, 'contract').state).toBe('skipped');
  });

  test('examines everything else if the campaigns’ port is closed', async () => {
    const { baseUrl } = await nobody();
    const whole = await healthyTarget(service);
    const report = await examinedBriefly({ ...whole, addresses: { ...whole.addresses, baseUrl } });
    expect(byState(report).failed).toEqual(['member-list']);
    expect(stepOf(report, 'member-list').means).toMatch(/^Nothing listens at/);
  });

  test('reports missing TLS at an https address', async () => {
    const origin = `https://127.0.0.1:${service.port}`;
    const addresses = { baseUrl: `${origin}/api/v1`, apiUrl: origin, mcpUrl: origin };
    const report = await examinedBriefly(await healthyTarget(service, { addresses }));
    expect(byState(report).failed).toEqual(['health']);
    expect(stepOf(report, 'health').means).toMatch(/^No secure connection/);
  });

  test('gives up on a service that never answers after two waits', async () => {
    const { addresses, received } = await startBrokenService(service.port, { instead: () => 'silence' });
    const report = await examinedBriefly(await healthyTarget(service, { addresses }), { timeoutMs: 60 });
    expect(byState(report).failed).toEqual(['health', 'ready']);
    expect(stepOf(report, 'ready')).toMatchObject({
      answer: expect.stringMatching(/^nothing in time/) as string,
      means: expect.stringMatching(/overloaded, or a firewall/) as string,
      remedy: expect.stringMatching(/Try again/) as string,
    });
    expect(received).toHaveLength(2);
  });

  test('reports remote tools that are not in the menu', async () => {
    service.backend.setAccess(service.credentials.uid, { mcpMenu: false });
    onTestFinished(() => service.backend.setAccess(service.credentials.uid, { mcpMenu: true }));
    const report = await examinedBriefly(await healthyTarget(service));
    expect(byState(report)).toMatchObject({ failed: ['whoami'], skipped: ['tools'] });
    expect(stepOf(report, 'whoami')).toMatchObject({
      means: expect.stringMatching(/not in its menu/) as string,
      remedy: expect.stringMatching(/switch the remote tools on/) as string,
    });
  });

  test('reports an answer of svc_whoami without scopes', async () => {
    const data = { tenant: 'meridian', identity: { type: 'advertiser' }, modules: ['campaigns'] };
    const facts = { signedIn: true, tids: [] };
    const examination = {
      remote: () => ({ callTool: async () => ({ structuredContent: { status: 'success', data } }) }),
      facts,
      clock: createManualClock(),
      timeoutMs: 1,
      signal: new AbortController().signal,
    } as unknown as Examination;
    expect(await whoami.examine(examination)).toMatchObject({
      state: 'notice',
      means: expect.stringMatching(/does not say which scopes/),
    });
  });

  test('reports a campaign list that takes longer than people wait', async () => {
    const clock = createManualClock();
    const { addresses } = await startBrokenService(service.port, {
      change(_answer, { path }) {
        if (path.endsWith('/login/campaigns/campaigns')) clock.advance(12_000);
      },
    });
    const report = await examinedBriefly(await healthyTarget(service, { addresses }), { clock });
    expect(byState(report).notice).toContain('member-list');
    expect(stepOf(report, 'member-list').means).toMatch(/took 12 s for a page of 2 campaigns/);
  });

  test('reports a sign-in without a refresh token', async () => {
    const grants = createMemoryGrants();
    const { accessToken } = await service.backend.issueRemoteGrant({
      account: 'buyer',
      scopes: ['svc:read'],
    });
    const target = await healthyTarget(service, { grants, access: accessOf(accessToken) });
    grants.save({
      accessToken,
      refreshToken: null,
      scopes: ['svc:read'],
      expiresAtMs: Date.now() + 600_000,
      clientId: 'c',
      issuer: target.addresses.mcpUrl,
      resource: `${target.addresses.mcpUrl}/mcp`,
      account: null,
      signedInAtMs: Date.now(),
    });
    const report = await examinedBriefly(target);
    expect(byState(report).notice).toEqual(['sign-in']);
    expect(stepOf(report, 'sign-in').means).toMatch(/no refresh token, so that you have to sign in again/);
  });

  test('requests a given TID and reports its refusal', async () => {
    const [whole] = service.credentials.accounts.publisher.publisherKeys;
    const named = { publisherKey: whole?.key ?? '', access: null };
    const [tid = 0] = whole?.tids ?? [];
    const well = await examinedBriefly(await healthyTarget(service, { ...named, tid }));
    expect(stepOf(well, 'publisher-reports').answer).toMatch(new RegExp(`of TID ${tid}: \\d+ rows?$`));
    const foreign = await examinedBriefly(await healthyTarget(service, { ...named, tid: 999_999 }));
    expect(byState(foreign).notice).toEqual(['publisher-reports']);
  });

  test('reports an account without the campaigns module', async () => {
    service.backend.setAccess(service.credentials.uid, { modules: ['xml'] });
    onTestFinished(() =>
      service.backend.setAccess(service.credentials.uid, {
        modules: ['campaigns', 'uploads', 'xml', 'search', 'tasks'],
      }),
    );
    const report = await examinedBriefly(await healthyTarget(service));
    expect(byState(report)).toMatchObject({ notice: ['tools'] });
    expect(stepOf(report, 'whoami').answer).toContain('modules “xml”');
  });

  test('reports a token without svc:read', async () => {
    const { accessToken } = await service.backend.issueRemoteGrant({
      account: 'buyer',
      scopes: ['svc:write'],
    });
    const report = await examinedBriefly(await healthyTarget(service, { access: accessOf(accessToken) }));
    expect(byState(report)).toMatchObject({ failed: ['whoami'], skipped: ['tools'] });
    expect(stepOf(report, 'whoami').means).toMatch(/does not have the scope/);
  });

  test('reports a publisher key without the scope of the Search report', async () => {
    const { publisherKeys } = service.credentials.accounts.publisher;
    const xmlOnly = publisherKeys.find(({ scopes }) => !scopes.includes('publisher:search:read'));
    const report = await examinedBriefly(await healthyTarget(service, { publisherKey: xmlOnly?.key ?? '' }));
    expect(byState(report).failed).toEqual(['publisher-reports']);
    expect(stepOf(report, 'publisher-reports').means).toMatch(/publisher:search:read/);
  });

  test('accepts a publisher key of another account', async () => {
    const [whole] = service.credentials.accounts.publisher.publisherKeys;
    const report = await examinedBriefly(await healthyTarget(service, { publisherKey: whole?.key ?? '' }));
    expect(stepOf(report, 'publisher-reports')).toMatchObject({ state: 'ok', means: null });
    expect(stepOf(report, 'publisher-reports').answer).toMatch(/of TID \d+: 403: /);
  });

  test('reports a publisher key without the scope of the XML statistics', async () => {
    const { publisherKeys } = service.credentials.accounts.publisher;
    const searchOnly = publisherKeys.find(({ scopes }) => !scopes.includes('publisher:xml:read'));
    const report = await examinedBriefly(
      await healthyTarget(service, { publisherKey: searchOnly?.key ?? '' }),
    );
    expect(byState(report).notice).toEqual(['publisher-reports']);
    expect(stepOf(report, 'publisher-reports').remedy).toMatch(/which TIDs and scopes/);
  });

  test('reports since when a member token has expired that should open the tools', async () => {
    const token = jwt({ exp: Math.floor(Date.now() / 1000) - 7_200 });
    const expired = { access: accessOf(token), memberToken: token, remoteAccess: 'direct-jwt' as const };
    const report = await examinedBriefly(await healthyTarget(service, expired));
    expect(byState(report)).toMatchObject({
      failed: ['sign-in', 'member-list'],
      skipped: ['whoami', 'tools'],
    });
    expect(stepOf(report, 'sign-in')).toMatchObject({
      answer: 'a token that ended 2 h ago',
      remedy: 'Paste a valid member token on the Profiles page.',
    });
    expect(stepOf(report, 'member-list').means).toMatch(/says that it ends \d{4}-/);
  });

  test('treats a member token with an impossible expiry as one without an expiry', async () => {
    const memberToken = jwt({ exp: 1e15 });
    const report = await examinedBriefly(await healthyTarget(service, { memberToken }));
    expect(stepOf(report, 'member-list')).toMatchObject({
      answer: expect.stringMatching(/^401: /),
      means: 'The service does not take the member token, which has ended or is not one of this service.',
    });
  });

  test('reports a sign-in that has ended', async () => {
    const grants = createMemoryGrants();
    grants.end();
    const report = await examinedBriefly(await healthyTarget(service, { access: null, grants }));
    expect(byState(report)).toMatchObject({ failed: ['sign-in'], skipped: ['whoami', 'tools'] });
    expect(stepOf(report, 'sign-in').remedy).toMatch(/Sign in to “Meridian”/);
  });

  test.each([
    ['open', 'notice', /registers with another port/],
    ['closed', 'failed', /End that program/],
  ] as const)(
    'reports a callback port in use while registration is %s',
    async (registration, state, remedy) => {
      const closed = withMembers(server, { registration_endpoint: undefined });
      const { addresses } = await startBrokenService(service.port, registration === 'open' ? {} : closed);
      const redirectUri = `http://127.0.0.1:${await squattedPort()}/callback`;
      const grants = createMemoryGrants();
      grants.saveClient({ issuer: addresses.mcpUrl, clientId: 'c1', redirectUri });
      const report = await examinedBriefly(await healthyTarget(service, { addresses, grants }));
      const step = stepOf(report, 'registration');
      expect(step.state).toBe(state);
      expect(step.means).toMatch(/Another program listens at http:\/\/127/);
      expect(step.remedy).toMatch(remedy);
    },
  );

  test('accepts an account without campaigns', async () => {
    const { addresses } = await startBrokenService(service.port, {
      instead: at(
        /\/login\/campaigns\/campaigns$/,
        jsonAnswer(200, {
          status: 'success',
          message: 'Campaigns',
          data: { data: [], total: 0, currentPage: 1, totalPages: 0 },
        }),
      ),
    });
    const report = await examinedBriefly(await healthyTarget(service, { addresses }));
    expect(stepOf(report, 'member-list')).toMatchObject({ state: 'ok', means: null });
    expect(stepOf(report, 'member-list').answer).toContain('no campaigns yet');
  });
});

/** Returns an address of this machine at which nothing listens. */
async function nobody(): Promise<DiagnosticTarget['addresses']> {
  const port = await new Promise<number>((resolve) => {
    const listener = createServer().listen(0, '127.0.0.1', () => {
      const bound = (listener.address() as AddressInfo).port;
      listener.close(() => resolve(bound));
    });
  });
  const origin = `http://127.0.0.1:${port}`;
  return { baseUrl: `${origin}/api/v1`, apiUrl: origin, mcpUrl: origin };
}

async function squattedPort(): Promise<number> {
  const squatter = createServer();
  await new Promise<void>((resolve) => squatter.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => void squatter.close(() => resolve())));
  return (squatter.address() as AddressInfo).port;
}

function jwt(claims: object): string {
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${encode({ alg: 'HS256' })}.${encode(claims)}.c2lnbmF0dXJl`;
}
