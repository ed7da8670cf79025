import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { speak, statusOf } from '#test/core/platform/loopback/raw-socket.ts';
import { movableClock, startBackend } from '../open-backend.ts';
import type { RunningBackend } from '../open-backend.ts';

let service: RunningBackend;
const clock = movableClock();

beforeAll(async () => {
  service = await startBackend({ clock, campaigns: 20 });
});
afterAll(() => service.dispose());

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const everywhere: [string, string][] = [
  ['GET', '/login/campaigns/campaigns'],
  ['GET', '/login/campaigns/104201'],
  ['PUT', '/login/campaigns/104201'],
  ['PUT', '/login/campaigns/update-status'],
];

describe('access to the member endpoints', () => {
  // The tests of the OAuth endpoints try every other credential at every place.
  const refused: [string, () => string | null, number][] = [
    ['no token', () => null, 401],
    ['three empty parts', () => '..', 401],
    ['a token with a shortened signature', () => service.credentials.memberToken.slice(0, -1), 401],
    ['a token with an additional letter', () => `${service.credentials.memberToken}A`, 401],
    ['a token with a fourth part', () => `${service.credentials.memberToken}.e30`, 401],
    [
      'a token with other claims under its old signature',
      () => {
        const [head, , foot] = service.credentials.memberToken.split('.');
        return `${head}.${encode({ sub: '20422', tenant: 'northwind', role: 'member', exp: 9_999_999_999 })}.${foot}`;
      },
      401,
    ],
    ['the token of a publisher', () => service.credentials.accounts.publisher.memberToken, 403],
  ];
  test.each(refused)('%s is refused everywhere', async (_name, token, status) => {
    for (const [method, path] of everywhere) {
      const answer = await service.send(method, path, { token: token() });
      expect([path, answer.status]).toEqual([path, status]);
      expect(answer.body.code).toBe(status === 401 ? 'unauthenticated' : 'forbidden');
    }
  });

  test('a token expires after twelve hours', async () => {
    const token = service.backend.issueDemoCredentials().memberToken;
    clock.move(12 * 3_600_000 - 2_000);
    expect((await service.send('GET', '/login/campaigns/campaigns', { token })).status).toBe(200);
    clock.move(3_000);
    expect((await service.send('GET', '/login/campaigns/campaigns', { token })).status).toBe(401);
    clock.move(-12 * 3_600_000 - 1_000);
  });

  test('two Authorization headers are refused, even if both are valid', async () => {
    const line = `Authorization: Bearer ${service.credentials.memberToken}\r\n`;
    const answer = await speak(
      service.port,
      `GET /api/v1/login/campaigns/campaigns HTTP/1.1\r\nHost: 127.0.0.1:${service.port}\r\n${line}${line}Connection: close\r\n\r\n`,
    );
    expect(statusOf(answer)).toBe(401);
  });

  test('a token under another scheme is refused', async () => {
    const token = service.credentials.memberToken;
    for (const authorization of [`Basic ${token}`, token]) {
      const answer = await service.send('GET', '/login/campaigns/campaigns', {
        token: null,
        headers: { authorization },
      });
      expect(answer.status).toBe(401);
    }
  });

  test('a request without a token is refused before its body is checked', async () => {
    const answer = await service.send('PUT', '/login/campaigns/104201', { token: null, body: '{' });
    expect(answer.status).toBe(401);
  });

  test('a 401 says where to sign in', async () => {
    const answer = await service.send('GET', '/login/campaigns/campaigns', { token: null });
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    const signedIn = await service.send('GET', '/login/campaigns/campaigns');
    expect(signedIn.headers.get('www-authenticate')).toBeNull();
  });

  test('an id of any length reveals nothing about campaigns', async () => {
    const path = `/login/campaigns/${'1'.repeat(4_000)}`;
    for (const method of ['GET', 'PUT']) {
      expect((await service.send(method, path, { token: null })).status).toBe(401);
    }
    expect((await service.send('GET', path)).status).toBe(404);
  });

  test('a request without a token is refused before its body is requested', async () => {
    const answer = await speak(
      service.port,
      `PUT /api/v1/login/campaigns/104201 HTTP/1.1\r\nHost: 127.0.0.1:${service.port}\r\nContent-Type: application/json\r\nContent-Length: 3000000\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`,
    );
    expect(statusOf(answer)).toBe(401);
  });

  test('the request log contains no token and no query', async () => {
    const token = service.credentials.memberToken;
    await service.send('GET', `/login/campaigns/campaigns?query=${token}`);
    expect(JSON.stringify(service.backend.requestLog())).not.toContain(token);
  });
});
