import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBackend } from '#test/core/backend/open-backend.ts';
import type { RunningBackend } from '#test/core/backend/open-backend.ts';
import { answerRequest } from '#test/servers/person.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import { freePort } from '../../scripts/lib/free-port.ts';
import { loopbackOnly } from './loopback-only.ts';
import { runProgram } from './run-program.ts';

let service: RunningBackend;
beforeAll(async () => void (service = await startBackend({ campaigns: 5 })));
afterAll(() => service.dispose());

interface Check {
  id: string;
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
}

async function register(origin: string, redirectUri: string): Promise<string> {
  const answer = await fetch(`${origin}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'Conformance',
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    }),
  });
  expect(answer.status).toBe(201);
  return ((await answer.json()) as { client_id: string }).client_id;
}

function statusesIn(folder: string): Record<string, Check['status']> {
  const files = readdirSync(folder).map((name) => join(folder, name, 'checks.json'));
  const checks = files
    .filter(existsSync)
    .flatMap((file) => JSON.parse(readFileSync(file, 'utf8')) as Check[]);
  return Object.fromEntries(checks.map(({ id, status }) => [id, status]));
}

test('the official conformance suite passes for every scenario of an authorization server', async () => {
  const origin = `http://127.0.0.1:${service.port}`;
  const port = await freePort();
  const clientId = await register(origin, `http://127.0.0.1:${port}/callback`);
  const output = tempFolder();
  let asked = '';
  const answers: Promise<unknown>[] = [];
  const suite = await runProgram(
    'node_modules/conformance-next/dist/index.js',
    ['authorization', `--url=${origin}`, `--client-id=${clientId}`, `--resource=${origin}/mcp`].concat([
      `--port=${port}`,
      `--output-dir=${output}`,
    ]),
    {
      env: { HOME: output, PATH: process.env['PATH'] ?? '', NO_COLOR: '1', ...loopbackOnly },
      onLine(line) {
        if (line.startsWith(`${origin}/authorize?`)) asked = line;
        // The suite waits for the redirect only from now on.
        if (line.startsWith('Callback server started')) answers.push(answer(asked));
      },
    },
  );
  await Promise.all(answers);
  console.log(suite.stdout.slice(suite.stdout.indexOf('=== SUMMARY ===')));
  expect(suite.code).toBe(0);
  expect(statusesIn(output)).toEqual({
    'authorization-server-metadata': 'SUCCESS',
    'authorization-code-grant': 'SUCCESS',
    // Not offered on purpose: with it, clients would no longer register, and would fail without network access.
    'authorization-server-metadata-cimd': 'WARNING',
  });
});

/** Completes the sign-in as a person and follows the redirect to the suite's own listener. */
async function answer(url: string): Promise<void> {
  const { password } = service.credentials;
  await (await fetch(await answerRequest(url, { login: 'marlow-media', password }))).text();
}
