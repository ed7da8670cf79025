import { describe, expect, onTestFinished, test } from 'vitest';
import { startBackend } from '#test/core/backend/open-backend.ts';
import { openEndpointWorld } from '#test/core/gateway/endpoint/endpoint-world.ts';
import { runSuite, troubles } from './run-suite.ts';
import { openTokenProxy, type TokenProxy } from './token-proxy.ts';

/**
 * The scenarios that need none of the suite's own tools, resources and prompts. The product has none of these, so other
 * scenarios cannot pass.
 */
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

async function openService(): Promise<TokenProxy> {
  const service = await startBackend();
  onTestFinished(() => service.dispose());
  const scopes = ['svc:read', 'svc:write', 'svc:upload', 'offline_access'] as const;
  const { accessToken } = await service.backend.issueRemoteGrant({ account: 'buyer', scopes });
  return openTokenProxy(`http://127.0.0.1:${service.port}`, accessToken);
}

async function openAgentsEndpoint(): Promise<TokenProxy> {
  const { origin, enter } = await openEndpointWorld();
  return openTokenProxy(origin, (await enter()).tokens.access_token);
}

const releases: [release: string, args: string[], more: string[]][] = [
  ['@modelcontextprotocol/conformance', ['--suite', 'all'], ofSessions],
  ['conformance-next', ['--requirements', '2025-11-25'], [...ofSessions, 'server-session-lifecycle']],
  ['conformance-next', ['--requirements', '2026-07-28'], withoutSession],
];

describe.each([
  ['service', openService],
  ['gateway', openAgentsEndpoint],
])('the real %s', (_what, open) => {
  test.each(releases)('has no fault in %s', async (release, args, more) => {
    const proxy = await open();
    onTestFinished(() => proxy.dispose());
    const run = await runSuite(release, ['server', ...args, '--url', `${proxy.origin}/mcp`]);
    for (const scenario of [...scenarios, ...more]) {
      const checks = run.scenarios.get(scenario) ?? [];
      expect(checks.filter(({ status }) => status === 'SUCCESS').length, scenario).toBeGreaterThan(0);
      expect(troubles(checks), scenario).toEqual([]);
    }
  });
});
