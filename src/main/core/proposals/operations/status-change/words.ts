import {
  assessStatus,
  bySeverity,
  mixedWarnings,
  pendingWarnings,
  statusVerb,
  statusTitle,
  suspendedWarnings,
  type WarningCode,
} from '#shared/wording/index.ts';
import type { StatusGroup } from '#shared/campaign/index.ts';
import type { ProposalView } from '#shared/app-api/index.ts';
import { statusNames, type StatusCode } from '#shared/contract/index.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import { type CampaignEffect, moneyOf, moneyPair, type ProposalWords, type Wording } from '../operation.ts';
import {
  statusParts,
  type MeantCampaigns,
  type StatusParts,
  type StatusTarget,
  rowChange,
  statusInWords,
} from './stored-parts.ts';
import { comparableStatus } from '../equal-changes.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { ownWords, type Sentence, sentence } from '#shared/lib/sentence.ts';

/** A change of status for people. Campaigns that have the status already are among the targets and among what stays. */
export function statusWords(wording: Wording, formats: Formats): ProposalWords {
  const { stoppedAs = [], profile, proposedBy } = wording;
  const isOwn = proposedBy.kind === 'person';
  return wordsOfStatus({ ...statusParts(wording), stoppedAs, zone: profile.zone, isOwn }, formats);
}

/** A change of status taken apart, with how its campaigns were stopped, the zone in which days are told, and whether a person asked for it. */
export interface StatusContent extends StatusParts {
  stoppedAs: readonly StatusGroup[];
  zone: string;
  isOwn: boolean;
}

/** The words of {@link statusWords}, also of several changes to one status that are decided as one. */
export function wordsOfStatus(content: StatusContent, formats: Formats): ProposalWords {
  const { targets, payload, meant, countedFrom, stoppedAs, zone, isOwn } = content;
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
  const froms = changing.map(({ row }) => row.status);
  const warnings = [
    ...assessed.warnings.filter(({ code }) => !isOwn || !saidByTitle.has(code)),
    ...suspendedWarnings(
      froms,
      status,
      {
        known: stoppedAs,
        zone,
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
  const views = targets.map((target) => statusTargetView(target, content, formats));
  const moving = views.filter(({ statusBefore }) => statusBefore !== status);
  return {
    title: titleOf(changing, { status, meant }, formats),
    targets: views,
    risk: {
      ...moneyOf(moving, changing.length, formats),
      bidFactor: null,
      notes: [
        ...(meant === 'all' ? [] : [leavesWhatStopped]),
        ...(countedFrom === 'list' ? [countedFromList] : []),
        ...notes,
      ],
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

/** Warnings of how many campaigns stop: the title says it, and whoever asked for it knows it. */
const saidByTitle: ReadonlySet<WarningCode> = new Set<WarningCode>(['several_campaigns', 'many_campaigns']);

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
): Sentence {
  const names = changing.map(({ name }) => name);
  if (meant === 'all' || names.length === 1) return statusTitle({ names, to: status }, formats);
  return sentence`${ownWords(statusVerb(status))} ${ownWords(formats.counted(names.length, 'running campaign'))}`;
}

const leavesWhatStopped = sentence`Campaigns that stop meanwhile or have another change in progress are skipped.`;

const countedFromList = sentence`Counted from the list, without flights and hours: it may be less.`;

/** A campaign of a change of status as a person reads it. */
export function statusTargetView(
  { cid, name, row, exposure }: StatusTarget,
  { payload: { status }, countedFrom }: Pick<StatusParts, 'payload' | 'countedFrom'>,
  formats: Formats,
): ProposalView['targets'][number] {
  const untilEnd = moneyPair('untilEnd', exposure, formats);
  return {
    cid,
    name: inertText(name),
    statusBefore: row.status,
    statusAfter: status,
    perDay: moneyPair('perDay', exposure, formats),
    untilEnd: countedFrom === 'list' ? withoutEnd(untilEnd) : untilEnd,
  };
}

/** A list row does not say when a campaign ends. */
function withoutEnd({ before, after }: MoneyPair): MoneyPair {
  const { until: _before, ...first } = before;
  const { until: _after, ...last } = after;
  return { before: first, after: last };
}

type MoneyPair = ProposalView['risk']['perDay'];
