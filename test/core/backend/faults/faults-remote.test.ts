import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createFaults } from '#core/backend/index.ts';
import type { Fault, Faults } from '#core/backend/index.ts';
import { startBackend } from '../open-backend.ts';
import type { RunningBackend } from '../open-backend.ts';

let service: RunningBackend;

const origin = (): string => new URL(service.baseUrl).origin;

type Place = [surface: 'rest' | 'oauth' | 'mcp', method: string, path: string];

const places: readonly Place[] = [
  ['rest', 'GET', '/api/v1/login/campaigns/campaigns'],
  ['rest', 'GET', '/xml/stats'],
  ['rest', 'GET', '/publisher/search-report'],
  ['rest', 'GET', '/uploads/none.png'],
  ['rest', 'GET', '/ready'],
  ['oauth', 'POST', '/token'],
  ['oauth', 'POST', '/register'],
  ['oauth', 'GET', '/authorize'],
  ['oauth', 'GET', '/.well-known/oauth-authorization-server'],
  ['mcp', 'POST', '/mcp'],
  ['mcp', 'GET', '/mcp'],
];

/** The error shapes of our REST answers, of RFC 6749 §5.2 and of JSON-RPC 2.0 §5.1. */
const shapes = {
  rest: { status: 'error', message: expect.any(String) as string, code: expect.any(String) as string },
  oauth: { error: expect.stringMatching(/^[a-z_]+$/) as string },
  mcp: { jsonrpc: '2.0', id: null, error: { code: -32_000, message: expect.any(String) as string } },
} as const;

describe('a fault that answers with a status', () => {
  beforeAll(async () => {
    service = await startBackend({ campaigns: 5 });
  });
  afterAll(() => service.dispose());

  test.each(places)(
    'gives each status its own words at %s: %s %s, and is logged',
    async (surface, method, path) => {
      for (const status of [401, 409, 429, 500, 503] as const) {
        service.backend.faults.arm({ kind: 'answer', status, method, path });
        const answer = await fetch(`${origin()}${path}?x=secret`, { method });
        expect(answer.status).toBe(status);
        expect(answer.headers.get('retry-after')).toBe(status === 429 || status === 503 ? '1' : null);
        expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
        expect(await answer.json()).toMatchObject(shapes[surface]);
        expect(service.backend.requestLog().at(-1)).toEqual({ method, path, status });
      }
      expect(service.backend.faults.armed).toBe(0);
    },
  );

  test('says with a 401 of the remote endpoint where to sign in', async () => {
    service.backend.faults.arm({ kind: 'answer', status: 401 });
    const answer = await fetch(`${origin()}/mcp`, { method: 'POST' });
    expect(answer.headers.get('www-authenticate')).toBe(
      `Bearer error="invalid_token", resource_metadata="${origin()}/.well-known/oauth-protected-resource/mcp"`,
    );
  });
});

describe('a fault of a request', () => {
  afterEach(() => service.dispose());

  test('that is armed during a request applies to the next request', async () => {
    service = await startBackend({ campaigns: 5 });
    let disarm = (): void => {};
    const later: Fault = { kind: 'cut-after-write', method: 'GET' };
    service.backend.faults.arm({
      kind: 'meanwhile',
      run: () => void (disarm = service.backend.faults.arm(later)),
    });
    expect((await service.list()).total).toBe(5);
    expect(service.backend.faults.armed).toBe(1);
    disarm();
    expect((await service.list()).total).toBe(5);
  });

  test('that fails meanwhile ends the connection', async () => {
    service = await startBackend({ campaigns: 5 });
    service.backend.faults.arm({ kind: 'meanwhile', run: () => Promise.reject(new Error('no')) });
    await expect(service.list()).rejects.toThrow();
    expect(service.backend.requestLog().at(-1)?.status).toBe(0);
    expect((await service.list()).total).toBe(5);
  });
});

test('cannot be armed by any request', async () => {
  const armed: Fault[] = [];
  const real = createFaults();
  const faults: Faults = {
    ...real,
    get armed() {
      return real.armed;
    },
    arm(fault) {
      armed.push(fault);
      return real.arm(fault);
    },
  };
  service = await startBackend({ campaigns: 5, faults });
  onTestFinished(() => service.dispose());
  const paths = [
    ...new Set(places.map(([, , path]) => path)),
    '/faults',
    '/fault',
    '/api/v1/faults',
    '/api/v1/login/faults',
    '/admin/faults',
    '/debug/faults',
    '/_faults',
    '/test/faults',
    '/mcp/faults',
    '/health/faults',
  ];
  const body = JSON.stringify({ kind: 'answer', status: 503, fault: { kind: 'answer', status: 503 } });
  for (const path of paths) {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      await fetch(`${origin()}${path}?fault=503&kind=answer&status=503`, {
        method,
        redirect: 'manual',
        headers: {
          authorization: `Bearer ${service.credentials.memberToken}`,
          'content-type': 'application/json',
          'x-fault': 'answer=503',
        },
        ...(method === 'GET' ? {} : { body }),
      });
    }
  }
  expect(armed).toEqual([]);
  expect(service.backend.requestLog().filter(({ status }) => status >= 500 || status === 0)).toEqual([]);
});
