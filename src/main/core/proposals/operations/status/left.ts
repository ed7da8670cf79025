import type { ProposalView } from '#shared/app-api/index.ts';
import { runs } from '#shared/campaign/index.ts';
import { statusNames } from '#shared/contract/index.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import type { StoredProposal } from '#core/store/app/index.ts';
import { statusParts, type StatusParts, type StatusTarget } from './base.ts';
import { rowChange, statusInWords } from './words.ts';

type Verdicts = ProposalView['verdicts'];

/** Of the campaigns that were to be sent those that have stopped since, or are not there any more, as verdicts. */
export function stoppedSince(
  { targets, payload }: StatusParts,
  rows: ReadonlyMap<number, { status: number }>,
): Verdicts {
  const isOne = targets.length === 1;
  return targets
    .filter(({ cid }) => payload.ids.includes(cid) && !runs(rows.get(cid)?.status))
    .map((target) => {
      const { field, label } = rowChange(target, isOne, 'status');
      const now = rows.get(target.cid)?.status;
      const found = now === undefined ? 'Not in this account any more' : statusInWords(now);
      return { field, label, verdict: 'left', sent: statusNames[payload.status], found };
    });
}

/** Campaigns that were left out when it was sent, as its intent says. */
export function leftOut({ verdicts }: Pick<StoredProposal, 'verdicts'>): Verdicts {
  return verdicts.filter(({ verdict }) => verdict === 'left');
}

/** The campaigns that were sent: those of the payload without the ones that its intent leaves out. */
export function sentTargets(proposal: StoredProposal): StatusTarget[] {
  const { targets, payload } = statusParts(proposal);
  const isOne = targets.length === 1;
  const left = new Set(leftOut(proposal).map(({ field }) => field));
  return targets.filter(
    (target) => payload.ids.includes(target.cid) && !left.has(rowChange(target, isOne, 'status').field),
  );
}

/** The bytes that leave: the stored payload as it is, or the same without the campaigns that its intent leaves out. */
export function sentPayload(proposal: StoredProposal): string {
  if (leftOut(proposal).length === 0) return proposal.payload;
  const { ids, status } = statusParts(proposal).payload;
  const sent = new Set(sentTargets(proposal).map(({ cid }) => cid));
  return canonicalJson({ ids: ids.filter((cid) => sent.has(cid)), status });
}
