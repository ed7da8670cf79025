import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMask } from '#core/doctor/report/report-text.ts';
import { createMemoryGrants } from '#core/service-client/index.ts';
import type { DoctorReport } from '#shared/app-api/index.ts';
import { startBackend, type RunningBackend } from '#test/core/backend/open-backend.ts';
import {
  jsonAnswer,
  startBrokenService,
  type BrokenRequest,
  type Breakage,
} from '#test/servers/broken-service.ts';
import { accessOf, examined, healthyTarget } from './target.ts';

let service: RunningBackend;
beforeAll(async () => {
  service = await startBackend({ campaigns: 3, days: 1 });
});
afterAll(() => service.dispose());

const planted = {
  access: 'Vt9/Zq7-4412+9f3a.Xy~81-kkW0',
  refresh: 'Rf3-0c77-1b2e-99aa-4d5f-qPz8',
  member: 'eyJwbGFudGVkIjoxfQ.eyJtZW1iZXIiOiJwbGFudGVkIn0.cGxhbnRlZC1zaWduYXR1cmU',
  publisher: 'pk-5e1f-aa02-7731-Lw4x-09bb',
};

/** Repeats everything that the service learns about its caller, in many spellings. */
function echo({ authorization = '', url }: BrokenRequest): string {
  const key = new URLSearchParams(url.split('?')[1]).get('token') ?? '';
  const bare = `${authorization.split(' ')[1] ?? ''}${key}`;
  const said = `${authorization} ${decodeURIComponent(url)} ${url}`;
  const spelled = [bare.toUpperCase(), encodeURIComponent(bare), said, `${'y'.repeat(380)}${bare}`];
  return `${spelled.join(' ')} Bearer ${planted.access} refresh_token=${planted.refresh}`;
}

const breakages: Record<string, Breakage> = {
  '401 with the credential in its words': {
    instead: (request) =>
      jsonAnswer(401, { status: 'error', message: echo(request), error: { message: echo(request) } }),
  },
  '422 with the credential in its fields': {
    instead: (request) =>
      jsonAnswer(422, {
        status: 'error',
        message: 'No.',
        errors: [{ field: echo(request), code: echo(request), message: echo(request) }],
      }),
  },
  'a redirect with the credential in it': {
    instead: (request) => ({
      status: 302,
      headers: {
        location: `https://${planted.publisher}.example/?token=${encodeURIComponent(echo(request))}`,
      },
      body: echo(request),
    }),
  },
  'a page with the credential in it': {
    instead: (request) => ({
      status: 200,
      headers: { 'content-type': 'text/html' },
      body: `<html>${echo(request)}</html>`,
    }),
  },
  'JSON with the credential as a key': {
    instead: (request) =>
      jsonAnswer(200, { [echo(request)]: echo(request), resource: echo(request), issuer: echo(request) }),
  },
  'text that is no JSON': {
    instead: (request) => ({ status: 500, headers: { 'content-type': 'text/plain' }, body: echo(request) }),
  },
};

/** The number of consecutive characters of a secret that would help an attacker. */
const telling = 12;

function leaks(report: DoctorReport): string[] {
  const text = JSON.stringify(report).toLowerCase();
  return Object.values(planted).flatMap((secret) => {
    const fragments = Array.from({ length: secret.length - telling + 1 }, (_, at) =>
      secret.slice(at, at + telling),
    );
    return fragments.filter((fragment) => text.includes(fragment.toLowerCase()));
  });
}

describe('the doctor’s report', () => {
  test.each(Object.entries(breakages))('reveals no credential: %s', async (_name, breakage) => {
    const { addresses, received } = await startBrokenService(service.port, breakage);
    const grants = createMemoryGrants();
    grants.save({
      issuer: addresses.mcpUrl,
      clientId: 'client',
      resource: `${addresses.mcpUrl}/mcp`,
      accessToken: planted.access,
      refreshToken: planted.refresh,
      scopes: ['svc:read'],
      expiresAtMs: null,
      account: null,
      signedInAtMs: 0,
    });
    const report = await examined(
      await healthyTarget(service, {
        addresses,
        grants,
        access: accessOf(planted.access),
        memberToken: planted.member,
        publisherKey: planted.publisher,
      }),
    );
    const sent = JSON.stringify(received);
    for (const secret of [planted.access, planted.member, planted.publisher]) expect(sent).toContain(secret);
    // The last report includes all earlier steps.
    expect(report.text).not.toBe('');
    expect(leaks(report)).toEqual([]);
  });

  test('quotes the service’s text so that it cannot control a terminal or a page', async () => {
    const hostile = '\u001b[2Jgone \u202Etxt.exe \n✓ ok all is well <b>bold</b>';
    const { addresses } = await startBrokenService(service.port, {
      instead: () =>
        jsonAnswer(500, { message: hostile, status: 'error', resource: hostile, issuer: hostile }),
    });
    const report = await examined(
      await healthyTarget(service, { addresses, subject: `Bad \u001b[31m\n name` }),
    );
    expect(report.text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202a-\u202e]/u);
    expect(report.text).not.toMatch(/^✓ ok all is well/m);
    expect(report.text.match(/^✓/gm) ?? []).toHaveLength(
      report.steps.filter(({ state }) => state === 'ok').length,
    );
  });
});

function hideSecrets(text: string, secrets: readonly string[]): string {
  const mask = createMask();
  secrets.forEach(mask.add);
  return mask.hide(text);
}

describe('hiding a secret works', () => {
  const secret = 'abcdef-0123456789-ABCDEF';
  test.each([
    ['the whole', `x ${secret} y`, 'x … y'],
    ['cut at its end', `x ${secret.slice(0, 15)}`, 'x …'],
    ['cut at its start', `${secret.slice(7)}z`, '…z'],
    ['in another case', secret.toUpperCase(), '…'],
    ['twice in a row', `${secret}${secret}`, '……'],
    ['a few letters of it', 'abcdef-0123', 'abcdef-0123'],
    ['nothing of it', 'a plain word', 'a plain word'],
  ])('%s', (_name, text, hidden) => {
    expect(hideSecrets(text, [secret])).toBe(hidden);
  });

  test('for a short secret, and ignores a single letter', () => {
    expect(hideSecrets('x sEcr3t-y sEcr3', ['Secr3t', 'x'])).toBe('x …-y sEcr3');
  });

  test('for a secret encoded in an address', () => {
    expect(
      hideSecrets(`?token=${encodeURIComponent('a/b+c=d&e f/1234567890')}&x=1`, ['a/b+c=d&e f/1234567890']),
    ).toBe('?token=…&x=1');
  });
});
