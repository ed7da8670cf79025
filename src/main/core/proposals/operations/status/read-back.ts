import type { CampaignReader } from '#core/service-client/index.ts';
import type { StoredProposal } from '#core/store/app/index.ts';
import { statusNames } from '#shared/contract/index.ts';
import type { Effect, ReadBack } from '../operation.ts';
import { statusParts, type StatusParts, type StatusTarget } from './base.ts';
import { lookForRows } from './find-rows.ts';
import { leftOut, sentTargets } from './left.ts';
import { rowChange, statusInWords } from './words.ts';

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
