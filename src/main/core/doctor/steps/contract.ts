import type { ContractFinding } from '#shared/app-api/index.ts';
import type { ContractCheck } from '../contract/check.ts';
import { runChecks } from '../contract/run-checks.ts';
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
import { sendReport } from '../answers/no-answer.ts';
import { notice, ok, skipped, type ExaminationStep } from './step.ts';
import { ownWords, sentence } from '#shared/lib/sentence.ts';
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

/** The read-only part of the contract check: what the service does otherwise than the contract says. */
export const contract: ExaminationStep = {
  id: 'contract',
  title: 'Contract',
  asks: () =>
    sentence`the reads of the contract, one after the other, refused ones included; nothing is written`,
  at: () => null,
  blocked: ({ facts }) =>
    facts.somethingAnswered ? null : skipped(sentence`It needs a service that answers.`),
  async examine({ target, access, facts, timeoutMs, signal, clock, found }, formats: Formats) {
    const findings = await runChecks(
      contractChecks,
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
    const line = sentence`${count('holds')} hold, ${drifts} drift, ${count('skipped')} were not asked`;
    if (drifts === 0) return ok(line);
    const points = ownWords(formats.counted(drifts, 'point'));
    return notice(line, {
      means: sentence`The service differs from the contract in ${points}: what Countersign shows or does there may be wrong.`,
      remedy: sendReport,
    });
  },
};
