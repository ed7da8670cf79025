import type { ContractFinding } from '#shared/app-api/index.ts';
import { counted } from '#shared/lib/counted.ts';
import { runContractCheck } from '../contract/index.ts';
import { notice, ok, skipped, type Step } from './step.ts';

/** The read-only part of the contract check: what the service does otherwise than the contract says. */
export const contract: Step = {
  id: 'contract',
  title: 'Contract',
  asks: () => 'the reads of the contract, one after the other, refused ones included; nothing is written',
  at: () => null,
  blocked: ({ facts }) => (facts.somethingAnswered ? null : skipped('It needs a service that answers.')),
  async examine({ patient, access, facts, timeoutMs, signal, clock, found }) {
    const findings = await runContractCheck({
      addresses: patient.addresses,
      memberToken: patient.memberToken,
      publisherKey: patient.publisherKey,
      access: facts.signedIn && facts.remoteOpen ? access : null,
      ...(facts.openTid === null ? {} : { known: { tid: facts.openTid } }),
      writes: false,
      signal,
      timeoutMs,
      clock,
      onFinding: found,
    });
    signal.throwIfAborted();
    const count = (state: ContractFinding['state']): number =>
      findings.filter((finding) => finding.state === state).length;
    const drifts = count('drifts');
    const line = `${count('holds')} hold, ${drifts} drift, ${count('skipped')} were not asked`;
    if (drifts === 0) return ok(line);
    const points = counted(drifts, 'point');
    return notice(line, {
      means: `The service differs from the contract in ${points}: what Countersign shows or does there may be wrong.`,
      remedy: 'Send this report to the operator of the service.',
    });
  },
};
