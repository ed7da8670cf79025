import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openDriverEndpoint, type DriverEndpoint } from './client/driver-endpoint.ts';
import { excludedClientScenarios, type Release, type Revision } from './excluded-client-scenarios.ts';
import { requiredScenarios, runSuite, troubles, type Check } from './run-suite.ts';

/** For each scenario that must make the client give up, the error code that it gives up with. */
const given = new Map([
  ['auth/scope-retry-limit', 'scope_needed'],
  ['auth/iss-normalized', 'sign_in_mismatch'],
  ['auth/iss-supported-missing', 'sign_in_mismatch'],
  ['auth/iss-unexpected', 'sign_in_mismatch'],
  ['auth/iss-wrong-issuer', 'sign_in_mismatch'],
  ['auth/metadata-issuer-mismatch', 'discovery_failed'],
  ['auth/resource-mismatch', 'discovery_failed'],
]);

let endpoint: DriverEndpoint;

beforeAll(async () => {
  endpoint = await openDriverEndpoint();
});

afterEach(() => endpoint.failures.clear());

afterAll(() => endpoint.dispose());

/** The suite only warns about a stream that is resumed late, which happens on a busy machine. */
function isLate({ id, status }: Check): boolean {
  return id === 'client-sse-retry-timing' && status === 'WARNING';
}

const runs: [release: Release, revision: Revision, args: string[]][] = [
  ['@modelcontextprotocol/conformance', '2025-11-25', ['--suite', 'all', '--spec-version', '2025-11-25']],
  ['conformance-next', '2025-11-25', ['--requirements', '2025-11-25']],
  ['conformance-next', '2026-07-28', ['--requirements', '2026-07-28']],
];

test.each(runs)(
  '%s finds no fault in our client for %s, except for what the contract excludes',
  async (...run) => {
    const [release, revision, args] = run;
    const { scenarios, summary } = await runSuite(release, [
      'client',
      '--command',
      endpoint.command,
      ...args,
    ]);
    console.log(`${release}, ${args.join(' ')}\n${summary}`);

    const excluded = excludedClientScenarios.filter(
      (one) => one.releases.includes(release) && one.revisions.includes(revision),
    );
    const excludedNames = new Set(excluded.map(({ scenario }) => scenario));
    expect([...scenarios.keys()]).toEqual(
      expect.arrayContaining([
        ...requiredScenarios('conformance-next', revision, 'client'),
        ...excludedNames,
      ]),
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
    expect(new Map(failed)).toEqual(new Map([...given].filter(([name]) => scenarios.has(name))));
  },
);
