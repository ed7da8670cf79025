import { afterAll, beforeAll, expect, test } from 'vitest';
import { openFixture } from './fixture/open-fixture.ts';
import { listScenarios, requiredScenarios, runSuite, troubles } from './run-suite.ts';
import { openTokenProxy } from './token-proxy.ts';
import type { TokenProxy } from './token-proxy.ts';

let fixture: Awaited<ReturnType<typeof openFixture>>;
let proxy: TokenProxy;

beforeAll(async () => {
  fixture = await openFixture();
  proxy = await openTokenProxy(fixture.origin, fixture.token);
});

afterAll(async () => {
  await proxy.dispose();
  await fixture.dispose();
});

test('conformance 0.1.16 finds no fault in any of its scenarios for servers', async () => {
  const release = '@modelcontextprotocol/conformance';
  const url = `${proxy.origin}/mcp`;
  const run = await runSuite(release, ['server', '--suite', 'all', '--url', url]);
  console.log(`${release} 0.1.16, --suite all\n${run.summary}`);

  const names = await listScenarios(release);
  expect(names.length).toBeGreaterThan(30);
  expect([...run.scenarios.keys()].toSorted()).toEqual(names.toSorted());
  for (const [name, checks] of run.scenarios) expect(troubles(checks), name).toEqual([]);
  expect(run.exitCode).toBe(0);
});

test('conformance 0.2.0-alpha.12 finds every requirement of 2025-11-25 met, including those that it does not score', async () => {
  const release = 'conformance-next';
  const url = `${proxy.origin}/mcp`;
  const run = await runSuite(release, ['server', '--requirements', '2025-11-25', '--url', url]);
  console.log(`${release} 0.2.0-alpha.12, --requirements 2025-11-25\n${run.summary}`);

  const required = requiredScenarios(release, '2025-11-25');
  expect(required.length).toBeGreaterThan(25);
  expect([...run.scenarios.keys()]).toEqual(expect.arrayContaining(required));
  for (const [name, checks] of run.scenarios) expect(troubles(checks), name).toEqual([]);
  expect(run.exitCode).toBe(0);
});

test('conformance 0.2.0-alpha.12 finds every requirement of 2026-07-28 met, including headers and tasks', async () => {
  const release = 'conformance-next';
  const url = `${proxy.origin}/mcp`;
  const run = await runSuite(release, ['server', '--requirements', '2026-07-28', '--url', url]);
  console.log(`${release} 0.2.0-alpha.12, --requirements 2026-07-28\n${run.summary}`);

  const required = requiredScenarios(release, '2026-07-28');
  expect(required.length).toBeGreaterThan(35);
  for (const name of [...required, ...alsoFulfilled]) {
    const checks = run.scenarios.get(name) ?? [];
    expect(checks.filter(({ status }) => status === 'SUCCESS').length, name).toBeGreaterThan(0);
    expect(troubles(checks), name).toEqual([]);
  }
});

/**
 * Scenarios that pass although the suite does not score them. The task scenarios in which a task asks its client are missing,
 * because no task of ours does that.
 */
const alsoFulfilled = [
  'http-header-validation',
  'http-custom-header-server-validation',
  'json-schema-2020-12',
  'tasks-lifecycle',
  'tasks-capability-negotiation',
  'tasks-wire-fields',
  'tasks-request-state-removal',
  'tasks-request-headers',
  'tasks-dispatch-and-envelope',
  'tasks-required-task-error',
  'tasks-mrtr-composition',
];

test('a rebound host name is refused by our own guard and not by the proxy of these tests', async () => {
  const before = proxy.passed.length;
  const run = await runSuite('conformance-next', [
    'server',
    '--scenario',
    'dns-rebinding-protection',
    '--url',
    `${proxy.origin}/mcp`,
  ]);
  expect(run.exitCode).toBe(0);

  const passed = proxy.passed.slice(before);
  expect(passed).toContainEqual({ host: 'evil.example.com', status: 421 });
  expect(passed).toContainEqual({ host: new URL(proxy.origin).host, status: 200 });
});
