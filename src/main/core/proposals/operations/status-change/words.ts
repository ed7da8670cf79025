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
import { inertText } from '#shared/lib/inert-text.ts';
import { type CampaignEffect, countsOf, moneyPair, type ProposalWords, type Wording } from '../operation.ts';
import { statusParts, type MeantCampaigns, type StatusTarget } from './stored-parts.ts';
import { comparableStatus } from '../equal-changes.ts';
import { rowChange, statusInWords } from './campaign-in-words.ts';
import type { Formats } from '#shared/lib/formats.ts';

/** A change of status for people. Campaigns that have the status already are among the targets and among what stays. */
export function statusWords(wording: Wording, formats: Formats): ProposalWords {
  const { targets, payload, meant } = statusParts(wording);
  const { status } = payload;
  const changing = targets.filter(({ row }) => row.status !== status);
  const staying = targets.filter(({ row }) => row.status === status);
  const isOne = targets.length === 1;
  const { typeToConfirm, notes, ...assessed } = assessStatus(
    {
      to: status,
      changing,
      stayingCount: staying.length,
    },
    formats,
  );
  const { stoppedAs = [] } = wording;
  const froms = changing.map(({ row }) => row.status);
  const warnings = [
    ...assessed.warnings,
    ...suspendedWarnings(
      froms,
      status,
      {
        known: stoppedAs,
        zone: wording.profile.zone,
      },
      formats,
    ),
    ...mixedWarnings(
      changing.map(({ cid, row }) => ({ cid, status: row.status })),
      status,
      stoppedAs,
      formats,
    ),
    ...pendingWarnings(froms, status, formats),
  ].toSorted(bySeverity);
  const views = targets.map((target) => targetView(target, status, formats));
  const moving = changing.map((target) => targetView(target, status, formats));
  const perDay = sumPairs(
    moving.map((view) => view.perDay),
    formats,
  );
  const untilEnd = sumPairs(
    moving.map((view) => view.untilEnd),
    formats,
  );
  return {
    title: titleOf(changing, { status, meant }, formats),
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
    facts: factsOfAll(changing),
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

/** None unless those of every campaign are known: a fact is stated of all of them. */
function factsOfAll(changing: readonly StatusTarget[]): ProposalWords['facts'] {
  const known = changing.flatMap(({ cid, facts }) =>
    facts === undefined ? [] : [{ cid, before: facts, after: facts }],
  );
  return known.length === changing.length ? known : [];
}

function statusEffect({ cid, row }: StatusTarget, status: StatusCode): CampaignEffect {
  const none = { members: null, isKnown: true, measure: { kind: 'none' } } as const;
  return { cid, field: 'status', before: row.status, after: status, ...none };
}

/** `Pause 12 campaigns`; of those that are meant only as far as they run, `Pause 12 running campaigns`. */
function titleOf(
  changing: readonly StatusTarget[],
  { status, meant }: { status: StatusCode; meant: MeantCampaigns },
  formats: Formats,
): string {
  const names = changing.map(({ name }) => name);
  if (meant === 'all' || names.length === 1) return statusTitle({ names, to: status }, formats);
  return `${statusVerb(status)} ${formats.counted(names.length, 'running campaign')}`;
}

const leavesWhatStopped =
  'Campaigns that stop by themselves, disappear or have another change in progress are skipped. The others are still changed.';

function targetView(
  { cid, name, row, exposure }: StatusTarget,
  status: number,
  formats: Formats,
): ProposalView['targets'][number] {
  return {
    cid,
    name: inertText(name),
    statusBefore: row.status,
    statusAfter: status,
    perDay: moneyPair('perDay', exposure, formats),
    untilEnd: moneyPair('untilEnd', exposure, formats),
  };
}
