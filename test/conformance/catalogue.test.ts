import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBackend } from '#test/core/backend/open-backend.ts';
import type { RunningBackend } from '#test/core/backend/open-backend.ts';
import { runSuite, troubles } from './run-suite.ts';
import { openTokenProxy } from './token-proxy.ts';
import type { TokenProxy } from './token-proxy.ts';

/** The scenarios that need none of the suite's own tools, resources and prompts; the others cannot pass here. */
const scenarios = [
  'tools-list',
  'resources-list',
  'prompts-list',
  'server-sse-multiple-streams',
  'dns-rebinding-protection',
];
const ofSessions = ['server-initialize', 'ping'];
const withoutSession = [
  'caching',
  'sep-2164-resource-not-found',
  'input-required-result-unsupported-methods',
  'http-header-validation',
];

let service: RunningBackend;
let proxy: TokenProxy;

beforeAll(async () => {
  service = await startBackend();
  const scopes = ['svc:read', 'svc:write', 'svc:upload', 'offline_access'] as const;
  const { accessToken } = await service.backend.issueRemoteGrant({ account: 'buyer', scopes });
  proxy = await openTokenProxy(`http://127.0.0.1:${service.port}`, accessToken);
});

afterAll(async () => {
  await proxy.dispose();
  await service.dispose();
});

const releases: [release: string, args: string[], more: string[]][] = [
  ['@modelcontextprotocol/conformance', ['--suite', 'all'], ofSessions],
  ['conformance-next', ['--requirements', '2025-11-25'], [...ofSessions, 'server-session-lifecycle']],
  ['conformance-next', ['--requirements', '2026-07-28'], withoutSession],
];

test.each(releases)('%s finds nothing wrong with the real service', async (release, args, more) => {
  const run = await runSuite(release, ['server', ...args, '--url', `${proxy.origin}/mcp`]);
  for (const scenario of [...scenarios, ...more]) {
    const checks = run.scenarios.get(scenario) ?? [];
    expect(checks.filter(({ status }) => status === 'SUCCESS').length, scenario).toBeGreaterThan(0);
    expect(troubles(checks), scenario).toEqual([]);
  }
});
