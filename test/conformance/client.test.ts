import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openDriverEndpoint, type DriverEndpoint } from './client/driver-endpoint.ts';
import { excludedClientScenarios, type Release } from './excluded-client-scenarios.ts';
import { requiredScenarios, runSuite, troubles, type Check } from './run-suite.ts';

const revision = '2025-11-25';

/** Its service never grants what it asks for: a client gives up, and says so. */
const endless = 'auth/scope-retry-limit';

let endpoint: DriverEndpoint;

beforeAll(async () => {
  endpoint = await openDriverEndpoint();
});

afterEach(() => endpoint.failures.clear());

afterAll(() => endpoint.dispose());

/** The suite only warns of a stream that is resumed late, as it is on a busy machine. */
function isLate({ id, status }: Check): boolean {
  return id === 'client-sse-retry-timing' && status === 'WARNING';
}

const runs: [release: Release, args: string[]][] = [
  ['@modelcontextprotocol/conformance', ['--suite', 'all', '--spec-version', revision]],
  ['conformance-next', ['--requirements', revision]],
];

test.each(runs)('%s finds nothing wrong with our client but what the contract excludes', async (...run) => {
  const [release, args] = run;
  const { scenarios, summary } = await runSuite(release, ['client', '--command', endpoint.command, ...args]);
  console.log(`${release}, ${args.join(' ')}\n${summary}`);

  const excluded = excludedClientScenarios.filter(({ releases }) => releases.includes(release));
  const excludedNames = new Set(excluded.map(({ scenario }) => scenario));
  expect([...scenarios.keys()]).toEqual(
    expect.arrayContaining([...requiredScenarios('conformance-next', revision, 'client'), ...excludedNames]),
  );
  for (const [name, checks] of scenarios) {
    const found = troubles(checks.filter((check) => !isLate(check)));
    if (excludedNames.has(name)) {
      expect(found, `${name} passes: it leaves the list`).not.toEqual([]);
    } else {
      expect(found, name).toEqual([]);
      expect(checks.filter(({ status }) => status === 'SUCCESS').length, name).toBeGreaterThan(0);
    }
  }

  const failed = [...endpoint.failures].filter(([name]) => !excludedNames.has(name));
  expect(failed).toEqual([[endless, 'scope_needed']]);
});
