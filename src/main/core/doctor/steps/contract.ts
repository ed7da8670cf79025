import type { ContractFinding } from '#shared/app-api/index.ts';
import { type ContractCheck, type ContractCheckOptions, runChecks } from '../contract/run-checks.ts';
import {
  memberAccessChecks,
  remoteAccessChecks,
  discoveryChecks,
  healthChecks,
  jsonFormChecks,
} from '../contract/checks/discovery.ts';
import {
  campaignListSearchChecks,
  campaignListChecks,
  campaignListLimitChecks,
} from '../contract/checks/campaign-list.ts';
import { campaignChecks } from '../contract/checks/campaign.ts';
import { remoteToolChecks } from '../contract/checks/remote-tools.ts';
import { searchReportChecks, xmlStatsChecks } from '../contract/checks/reports.ts';
import { notice, ok, skipped, type ExaminationStep } from './step.ts';
import type { Formats } from '#shared/lib/formats.ts';

/** Every check, in the order in which they are made: from what needs no credentials to the remote tools. */
export const contractChecks: readonly ContractCheck[] = [
  ...healthChecks,
  ...discoveryChecks,
  ...memberAccessChecks,
  ...campaignListChecks,
  ...campaignListSearchChecks,
  ...campaignListLimitChecks,
  ...campaignChecks,
  ...searchReportChecks,
  ...xmlStatsChecks,
  ...remoteAccessChecks,
  ...remoteToolChecks,
  ...jsonFormChecks,
];

/**
 * Holds a service against the contract, one request after the other, and gives a finding for every check. Never fails
 * because of the service; an abort ends it with the findings made so far. A service that answers 429 is left alone: what
 * comes after is skipped.
 */
export function runContractCheck(
  options: ContractCheckOptions,
  formats: Formats,
): Promise<ContractFinding[]> {
  return runChecks(contractChecks, options, formats);
}

/** The read-only part of the contract check: what the service does otherwise than the contract says. */
export const contract: ExaminationStep = {
  id: 'contract',
  title: 'Contract',
  asks: () => 'the reads of the contract, one after the other, refused ones included; nothing is written',
  at: () => null,
  blocked: ({ facts }) => (facts.somethingAnswered ? null : skipped('It needs a service that answers.')),
  async examine({ target, access, facts, timeoutMs, signal, clock, found }, formats: Formats) {
    const findings = await runContractCheck(
      {
        addresses: target.addresses,
        memberToken: target.memberToken,
        publisherKey: target.publisherKey,
        access: facts.signedIn && facts.remoteOpen ? access : null,
        ...(facts.openTid === null ? {} : { known: { tid: facts.openTid } }),
        signal,
        timeoutMs,
        clock,
        onFinding: found,
      },
      formats,
    );
    signal.throwIfAborted();
    const count = (state: ContractFinding['state']): number =>
      findings.filter((finding) => finding.state === state).length;
    const drifts = count('drifts');
    const line = `${count('holds')} hold, ${drifts} drift, ${count('skipped')} were not asked`;
    if (drifts === 0) return ok(line);
    const points = formats.counted(drifts, 'point');
    return notice(line, {
      means: `The service differs from the contract in ${points}: what Countersign shows or does there may be wrong.`,
      remedy: 'Send this report to the operator of the service.',
    });
  },
};
