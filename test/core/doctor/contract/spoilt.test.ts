import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ContractCheck } from '#core/doctor/contract/check.ts';
import { campaignChecks } from '#core/doctor/contract/checks/campaign.ts';
import { campaignListChecks, campaignListLimitChecks } from '#core/doctor/contract/checks/campaign-list.ts';
import { campaignListSearchChecks } from '#core/doctor/contract/checks/campaign-list-search.ts';
import { discoveryChecks, healthChecks } from '#core/doctor/contract/checks/discovery.ts';
import { memberAccessChecks, remoteAccessChecks } from '#core/doctor/contract/checks/access.ts';
import { remoteToolChecks } from '#core/doctor/contract/checks/remote-tools.ts';
import { searchReportChecks } from '#core/doctor/contract/checks/search-report.ts';
import { writingChecks } from '#test/contract-suite/writing-checks.ts';
import { xmlStatsChecks } from '#core/doctor/contract/checks/xml-stats.ts';
import type { WriteContext } from '#test/contract-suite/write-context.ts';
import { everyCheck, openSubject, runEvery } from './examine.ts';
import type { Subject } from './examine.ts';
import { readSpoilings } from './read-spoilings.ts';
import { openSpoilingProxy } from './spoiling-proxy.ts';
import type { Spoiling, SpoilingProxy } from './spoiling-proxy.ts';
import { writeSpoilings } from './write-spoilings.ts';

/** Checks that are judged together: all of them are made, so that none drifts for another's reason. */
const groups: readonly (readonly ContractCheck<WriteContext>[])[] = [
  healthChecks,
  discoveryChecks,
  memberAccessChecks,
  campaignListChecks,
  campaignListSearchChecks,
  campaignListLimitChecks,
  campaignChecks,
  searchReportChecks,
  xmlStatsChecks,
  remoteAccessChecks,
  remoteToolChecks,
  // Those that write take longer: each is judged alone.
  ...writingChecks.map((check) => [check]),
];

let service: Subject;
let smallService: Subject;
let proxy: SpoilingProxy;
let smallProxy: SpoilingProxy;

beforeAll(async () => {
  service = await openSubject();
  smallService = await openSubject({ campaigns: 60 });
  proxy = await openSpoilingProxy(service.options.addresses.mcpUrl);
  smallProxy = await openSpoilingProxy(smallService.options.addresses.mcpUrl);
});
afterAll(async () => {
  await proxy.dispose();
  await smallProxy.dispose();
  await service.service.dispose();
  await smallService.service.dispose();
});

/** Returns the ids of these checks that drift, through the proxy. */
async function drifts(checks: readonly ContractCheck<WriteContext>[], spoiling: Spoiling): Promise<string[]> {
  // What writes needs no long list.
  const isSmall = checks.every((check) => writingChecks.includes(check));
  const { options } = isSmall ? smallService : service;
  const before = isSmall ? smallProxy : proxy;
  const { origin } = before;
  before.spoil(spoiling);
  const addresses = { baseUrl: `${origin}/api/v1`, apiUrl: origin, mcpUrl: origin };
  const findings = await runEvery(checks, { ...options, addresses });
  return findings.flatMap(({ id, state, text }) => (state === 'drifts' && text !== '' ? [id] : []));
}

describe.each([
  ['by reads', readSpoilings],
  ['by writes', writeSpoilings],
])('what a service does otherwise is found %s', (_how, spoilings) => {
  test.each(spoilings)('%s', async (_what, spoiling, found) => {
    const checks = groups.filter((group) => group.some(({ id }) => found.includes(id))).flat();
    expect((await drifts(checks, spoiling)).toSorted()).toEqual([...found].toSorted());
  });
});

test('there is no check that cannot fail', () => {
  const found = new Set([...readSpoilings, ...writeSpoilings].flatMap(([, , ids]) => ids));
  expect(everyCheck.map(({ id }) => id).filter((id) => !found.has(id))).toEqual([]);
});
