import type { CampaignReader } from '#core/service-client/index.ts';
import type { StoredProposal } from '#core/store/app/index.ts';
import type { ProposalView } from '#shared/app-api/index.ts';
import { statusNames } from '#shared/contract/index.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import type { Effect, ReadBack } from '../operation.ts';
import { statusParts, type StatusParts, type StatusTarget } from './stored-parts.ts';
import { lookForRows } from './find-list-rows.ts';
import { rowChange, statusInWords } from './campaign-in-words.ts';

/** Reads the status of every campaign that was sent; one verdict for each, after those that were left out. */
export async function readBackStatus(client: CampaignReader, proposal: StoredProposal): Promise<ReadBack> {
  const parts = statusParts(proposal);
  const sent = sentTargets(proposal);
  const rows = await lookForRows(
    client,
    sent.map(({ cid }) => cid),
  );
  const found = new Map([...rows].map(([cid, { status }]) => [cid, status]));
  const isOne = parts.targets.length === 1;
  const verdicts = sent.map((target) => verdictOf(target, { found, status: parts.payload.status, isOne }));
  const isAsSent = verdicts.every(({ verdict }) => verdict === 'stored');
  const isBase = sent.every(({ cid, row }) => found.get(cid) === row.status);
  return {
    isAsSent,
    evidence: isAsSent ? 'payload' : isBase ? 'base' : 'other',
    verdicts: [...verdicts, ...leftOut(proposal)],
  };
}

interface Finding {
  found: ReadonlyMap<number, number>;
  status: StatusParts['payload']['status'];
  isOne: boolean;
}

function verdictOf(target: StatusTarget, { found, status, isOne }: Finding): ReadBack['verdicts'][number] {
  const { field, label } = rowChange(target, isOne, 'status');
  const now = found.get(target.cid);
  const verdict = now === undefined ? 'unknown' : now === status ? 'stored' : 'different';
  return {
    field,
    label,
    verdict,
    sent: statusNames[status],
    found: now === undefined ? '' : statusInWords(now),
  };
}

/** Effects of a change of status by campaign, as far as the read after it found the status stored. */
export function statusEffects(proposal: StoredProposal): Effect[] {
  const { targets, payload } = statusParts(proposal);
  const isOne = targets.length === 1;
  const stored = new Set(
    proposal.verdicts.filter(({ verdict }) => verdict === 'stored').map(({ field }) => field),
  );
  return targets
    .filter((target) => payload.ids.includes(target.cid) && target.row.status !== payload.status)
    .filter((target) => stored.has(rowChange(target, isOne, 'status').field))
    .map(({ cid, name, row }) => ({
      cid,
      name,
      before: { status: row.status },
      after: { status: payload.status },
      context: null,
    }));
}

type Verdicts = ProposalView['verdicts'];

/** Campaigns that were left out when it was sent, as its intent says. */
function leftOut({ verdicts }: Pick<StoredProposal, 'verdicts'>): Verdicts {
  return verdicts.filter(({ verdict }) => verdict === 'left');
}

/** Campaigns of a change of status that its intent left out: nothing was sent for them. None of any other write. */
export function leftOutCids(proposal: StoredProposal): ReadonlySet<number> {
  if (proposal.operation !== 'campaign.status' || leftOut(proposal).length === 0) return new Set();
  const sent = new Set(sentTargets(proposal).map(({ cid }) => cid));
  return new Set(proposal.targets.filter((cid) => !sent.has(cid)));
}

/** The verdict on the status of one campaign; undefined where nothing was sent for it. */
export function storedStatus(proposal: StoredProposal, cid: number): Verdicts[number]['verdict'] | undefined {
  const sent = sentTargets(proposal);
  const isOne = statusParts(proposal).targets.length === 1;
  const target = sent.find((one) => one.cid === cid);
  const field = target && rowChange(target, isOne, 'status').field;
  return proposal.verdicts.find((one) => one.field === field)?.verdict;
}

/** The campaigns that were sent: those of the payload without the ones that its intent leaves out. */
function sentTargets(proposal: StoredProposal): StatusTarget[] {
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
