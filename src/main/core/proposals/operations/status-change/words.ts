import {
  assessStatus,
  bySeverity,
  mixedWarnings,
  pendingWarnings,
  statusVerb,
  statusTitle,
  sumPairs,
  suspendedWarnings,
} from '#shared/campaign/index.ts';
import type { ProposalView } from '#shared/app-api/index.ts';
import { statusNames, type StatusCode } from '#shared/contract/index.ts';
import { counted } from '#shared/lib/counted.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import { type CampaignEffect, countsOf, moneyPair, type ProposalWords, type Wording } from '../operation.ts';
import { statusParts, type MeantCampaigns, type StatusTarget } from './stored-parts.ts';
import { comparableStatus } from '../equal-changes.ts';
import { rowChange, statusInWords } from './campaign-in-words.ts';

/** A change of status for people. Campaigns that have the status already are among the targets and among what stays. */
export function statusWords(wording: Wording): ProposalWords {
  const { targets, payload, meant } = statusParts(wording);
  const { status } = payload;
  const changing = targets.filter(({ row }) => row.status !== status);
  const staying = targets.filter(({ row }) => row.status === status);
  const isOne = targets.length === 1;
  const { typeToConfirm, notes, ...assessed } = assessStatus({
    to: status,
    changing,
    stayingCount: staying.length,
  });
  const { stoppedAs = [] } = wording;
  const froms = changing.map(({ row }) => row.status);
  const warnings = [
    ...assessed.warnings,
    ...suspendedWarnings(froms, status, {
      known: stoppedAs,
      zone: wording.profile.zone,
    }),
    ...mixedWarnings(
      changing.map(({ cid, row }) => ({ cid, status: row.status })),
      status,
      stoppedAs,
    ),
    ...pendingWarnings(froms, status),
  ].toSorted(bySeverity);
  const views = targets.map((target) => targetView(target, status));
  const moving = changing.map((target) => targetView(target, status));
  const perDay = sumPairs(moving.map((view) => view.perDay));
  const untilEnd = sumPairs(moving.map((view) => view.untilEnd));
  return {
    title: titleOf(changing, { status, meant }),
    targets: views,
    risk: {
      perDay: perDay.pair,
      untilEnd: untilEnd.pair,
      ...countsOf({ perDay, untilEnd, campaignCount: changing.length }),
      bidFactor: null,
      notes: meant === 'all' ? notes : [leavesWhatStopped, ...notes],
    },
    detail: { kind: 'campaigns' },
    effects: { certainty: 'stated', changes: changing.map((target) => statusEffect(target, status)) },
    facts: changing.flatMap(({ cid, facts }) =>
      facts === undefined ? [] : [{ cid, before: facts, after: facts }],
    ),
    comparable:
      meant === 'running' ? null : comparableStatus({ warnings, typeToConfirm, targets: views }, status),
    warnings,
    typeToConfirm,
    changes: changing.map((target) => ({
      ...rowChange(target, isOne, 'status'),
      before: statusInWords(target.row.status),
      after: statusNames[status],
    })),
    unchanged: staying.map((target) => {
      const { field, label } = rowChange(target, isOne, 'status');
      return { field, label, value: statusNames[status] };
    }),
  };
}

function statusEffect({ cid, row }: StatusTarget, status: StatusCode): CampaignEffect {
  const none = { members: null, isKnown: true, measure: { kind: 'none' } } as const;
  return { cid, field: 'status', before: row.status, after: status, ...none };
}

/** `Pause 12 campaigns`; of those that are meant only as far as they run, `Pause 12 running campaigns`. */
function titleOf(
  changing: readonly StatusTarget[],
  { status, meant }: { status: StatusCode; meant: MeantCampaigns },
): string {
  const names = changing.map(({ name }) => name);
  if (meant === 'all' || names.length === 1) return statusTitle({ names, to: status });
  return `${statusVerb(status)} ${counted(names.length, 'running campaign')}`;
}

const leavesWhatStopped =
  'Campaigns that stop by themselves, disappear or have another change in progress are skipped. The others are still changed.';

function targetView(
  { cid, name, row, exposure }: StatusTarget,
  status: number,
): ProposalView['targets'][number] {
  return {
    cid,
    name: inertText(name),
    statusBefore: row.status,
    statusAfter: status,
    perDay: moneyPair('perDay', exposure),
    untilEnd: moneyPair('untilEnd', exposure),
  };
}
