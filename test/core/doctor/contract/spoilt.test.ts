import { defaultFormats } from '#shared/lib/formats.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ContractCheck } from '#core/doctor/contract/check.ts';
import { runChecks, contractChecks } from '#core/doctor/contract/run-checks.ts';
import { campaignChecks } from '#core/doctor/contract/checks/campaign.ts';
import {
  campaignListChecks,
  campaignListLimitChecks,
  campaignListSearchChecks,
} from '#core/doctor/contract/checks/campaign-list.ts';
import {
  discoveryChecks,
  healthChecks,
  jsonFormChecks,
  memberAccessChecks,
  remoteAccessChecks,
} from '#core/doctor/contract/checks/discovery.ts';
import { remoteToolChecks } from '#core/doctor/contract/checks/remote-tools.ts';
import { searchReportChecks, xmlStatsChecks } from '#core/doctor/contract/checks/reports.ts';
import { openSubject, type Subject } from './examine.ts';
import { readSpoilings } from './read-spoilings.ts';
import { openSpoilingProxy, type SpoilingProxy } from './spoiling-proxy.ts';

/** Groups of checks. For each spoiling the whole group runs, to prove that no other check of the group reports the drift. */
const groups: readonly (readonly ContractCheck[])[] = [
  [...healthChecks, ...jsonFormChecks],
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
];

let subject: Subject;
let proxy: SpoilingProxy;

beforeAll(async () => {
  subject = await openSubject();
  proxy = await openSpoilingProxy(subject.options.addresses.mcpUrl);
});
afterAll(async () => {
  await proxy.dispose();
  await subject.service.dispose();
});

test.each(readSpoilings)('the doctor detects a service that differs: %s', async (_what, spoiling, found) => {
  const checks = groups.filter((group) => group.some(({ id }) => found.includes(id))).flat();
  const { origin } = proxy;
  proxy.spoil(spoiling);
  const addresses = { baseUrl: `${origin}/api/v1`, apiUrl: origin, mcpUrl: origin };
  const findings = await runChecks(checks, { ...subject.options, addresses }, defaultFormats);
  const drifts = findings.filter(({ state, text }) => state === 'drifts' && text !== '').map(({ id }) => id);
  expect(drifts.toSorted()).toEqual([...found].toSorted());
});

test('every check of the contract can fail', () => {
  const found = new Set(readSpoilings.flatMap(([, , ids]) => ids));
  expect(contractChecks.map(({ id }) => id).filter((id) => !found.has(id))).toEqual([]);
});
