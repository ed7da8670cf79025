import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { oneTimeTarget } from '#core/doctor/index.ts';
import { createMemoryGrants, signIn } from '#core/service-client/index.ts';
import { systemClock } from '#core/platform/clock.ts';
import { silentLogger } from '#core/platform/logger.ts';
import type { DoctorReport } from '#shared/app-api/index.ts';
import { startBackend, type RunningBackend } from '#test/core/backend/open-backend.ts';
import { type BrokenRequest, jsonAnswer, startBrokenService } from '#test/servers/broken-service.ts';
import { answerRequest } from '#test/servers/person.ts';
import { byState, examined, examinedBriefly, stepOf, healthyTarget } from './target.ts';

let service: RunningBackend;
beforeAll(async () => {
  service = await startBackend({ tenant: 'meridian', campaigns: 30, days: 3 });
});
afterAll(() => service.dispose());

/** Acts as a person at the service's pages, whose browser then returns to the app. */
async function person(address: string): Promise<boolean> {
  const { accounts, password } = service.credentials;
  const back = await answerRequest(address, { login: accounts.buyer.login, password });
  await fetch(back);
  return true;
}

describe('the doctor examines a healthy service and', () => {
  test('finds no fault by reads alone, with the request, answer and duration of every step', async () => {
    const target = await healthyTarget(service);
    const before = service.backend.requestLog().length;
    const seen: DoctorReport[] = [];
    const report = await examined(target, { onProgress: (shown) => seen.push(shown) });
    expect(report.steps.map(({ id, state }) => [id, state])).toEqual([
      ['health', 'ok'],
      ['ready', 'ok'],
      ['protected-resource', 'ok'],
      ['authorization-server', 'ok'],
      ['registration', 'ok'],
      ['sign-in', 'ok'],
      ['whoami', 'ok'],
      ['tools', 'ok'],
      ['member-list', 'ok'],
      ['publisher-reports', 'ok'],
      ['contract', 'ok'],
    ]);
    for (const { id, asked, answer, means, remedy, tookMs } of report.steps) {
      expect(asked, id).not.toBe('');
      expect(answer, id).not.toBe('');
      expect([means, remedy], id).toEqual([null, null]);
      if (id !== 'registration') expect(tookMs, id).toBeGreaterThanOrEqual(0);
    }
    expect(stepOf(report, 'health').answer).toMatch(/^200 in [\d.]+ ms: “{"status":"ok"}”$/);
    expect(stepOf(report, 'whoami').answer).toContain(
      'tenant “meridian”; identity “oauth”; scopes “svc:read',
    );
    expect(stepOf(report, 'member-list').answer).toContain('2 of 30 campaigns; the token is good for 12 h');
    expect(stepOf(report, 'publisher-reports').asked).toMatch(
      /search-report\?token=…, then \/xml\/stats\?token=…&tid=\d+/,
    );
    const { findings } = stepOf(report, 'contract');
    expect(findings.length).toBeGreaterThan(40);
    expect(findings.filter(({ state }) => state === 'drifts')).toEqual([]);
    // The checks of §2.5 hold only if they get the traffic source that the service reported and the key may read.
    expect(findings.filter(({ clause, state }) => clause.includes('§2.5') && state !== 'holds')).toEqual([]);

    const running = seen.map(({ steps }) => steps.filter(({ state }) => state === 'running').length);
    expect(Math.max(...running)).toBe(1);
    expect(seen.slice(0, -1).every(({ text, endedAtMs }) => text === '' && endedAtMs === null)).toBe(true);
    expect(seen.at(-1)).toBe(report);
    expect(report.text).toContain('✓ ok       Authorization server');
    expect(report.text).toContain('result   11 ok');

    await examinedBriefly({ ...target, access: null, grants: createMemoryGrants() });
    const asked = service.backend.requestLog().slice(before);
    expect(asked.length).toBeGreaterThan(20);
    expect(asked.filter(({ method, path }) => method !== 'GET' && path !== '/mcp')).toEqual([]);
    expect(asked.filter(({ path }) => /^\/(register|authorize|token)/.test(path))).toEqual([]);
  });

  test.each([
    ['2026-07-28', {}],
    [
      '2025-11-25',
      {
        instead: ({ mcpMethod }: BrokenRequest) =>
          mcpMethod === 'server/discover' ? jsonAnswer(400, {}) : null,
      },
    ],
  ])('names the revision of MCP that the service speaks: %s', async (version, breakage) => {
    const { addresses } = await startBrokenService(service.port, breakage);
    const report = await examinedBriefly(await healthyTarget(service, { addresses }));
    expect(stepOf(report, 'tools')).toMatchObject({ state: 'ok', means: null });
    expect(stepOf(report, 'tools').answer).toMatch(
      new RegExp(`^\\d+ tools in [\\d.]+ ms over MCP “${version}”: “svc_`),
    );
    expect(report.text).toContain(`over MCP “${version}”`);
  });

  test('says how to get each missing credential', async () => {
    const nothing = { access: null, memberToken: null, publisherKey: null, grants: createMemoryGrants() };
    const report = await examinedBriefly(await healthyTarget(service, nothing));
    expect(byState(report)).toEqual({
      ok: ['health', 'ready', 'protected-resource', 'authorization-server', 'registration'],
      skipped: ['sign-in', 'whoami', 'tools', 'member-list', 'publisher-reports'],
    });
    expect(stepOf(report, 'registration').answer).toContain('not registered yet');
    expect(stepOf(report, 'sign-in').remedy).toBe('Sign in to “Meridian” on the Profiles page.');
    expect(stepOf(report, 'member-list').remedy).toBe('Paste a valid member token on the Profiles page.');
    expect(stepOf(report, 'publisher-reports').remedy).toBe(
      'Paste a valid publisher key on the Profiles page.',
    );
  });

  test('shows a sign-in with its scopes, its registration and its free port', async () => {
    const target = await healthyTarget(service);
    const grants = createMemoryGrants();
    const { accessToken } = await signIn({
      mcpUrl: target.addresses.mcpUrl,
      store: grants,
      scopes: ['svc:write'],
      open: person,
      signal: new AbortController().signal,
      timeoutMs: 10_000,
      clock: systemClock,
      logger: silentLogger,
    });
    const access = { token: async () => accessToken, renew: async () => accessToken };
    const report = await examinedBriefly({ ...target, access, grants });
    expect(stepOf(report, 'registration').answer).toMatch(
      /^registered, with http:\/\/127\.0\.0\.1:\d+ as the place for the answer$/,
    );
    expect(stepOf(report, 'sign-in').answer).toMatch(/good for 10 min; scopes: “svc:read, svc:write”/);
    expect(report.text).not.toContain(accessToken);
  });

  test('signs a one-time target in when needed and revokes the access afterwards', async () => {
    const { addresses } = await healthyTarget(service);
    let opened = 0;
    const oneTime = oneTimeTarget({
      addresses,
      memberToken: null,
      publisherKey: null,
      signIn: {
        open(address) {
          opened += 1;
          return person(address);
        },
        signal: new AbortController().signal,
        personMs: 10_000,
        timeoutMs: 10_000,
        clock: systemClock,
        logger: silentLogger,
      },
    });
    const report = await examinedBriefly(oneTime.target);
    expect(byState(report)).toMatchObject({ skipped: ['member-list', 'publisher-reports'] });
    expect(byState(report).failed).toBeUndefined();
    expect(stepOf(report, 'member-list').remedy).toContain('COUNTERSIGN_MEMBER_TOKEN');
    expect(opened).toBe(1);

    const token = await oneTime.target.access?.token();
    await oneTime.dispose();
    const after = await fetch(`${addresses.mcpUrl}/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{}',
    });
    expect(after.status).toBe(401);
  });
});
