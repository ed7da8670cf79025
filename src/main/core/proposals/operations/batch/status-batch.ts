import type { ListedProposal, StoredProposal } from '#core/store/app/index.ts';
import type { ProposalView } from '#shared/app-api/index.ts';
import { type ChangeView, restated } from '#shared/campaign/index.ts';
import { type Warning, type WarningCode, warningOf } from '#shared/wording/index.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { moneyOf, type ProposalWords } from '../operation.ts';
import { outcomeView } from '../outcome.ts';
import { rowChange, statusInWords, statusParts } from '../status-change/stored-parts.ts';
import { type StatusContent, statusTargetView, wordsOfStatus } from '../status-change/words.ts';
import type { BatchPayload } from './prepare.ts';
import { ownWords, type Sentence, sentence } from '#shared/lib/sentence.ts';

/** A batch of status changes, described as one change of all its campaigns. */
export interface StatusBatchWords extends Omit<ProposalWords, 'detail'> {
  /** Number of campaigns that change. */
  campaignCount: number;
  /** The campaigns of each member, by its id. */
  targetsOf: ReadonlyMap<string, ProposalView['targets']>;
}

export interface StatusBatch<Member = ListedProposal> extends Pick<BatchPayload, 'equally' | 'asOne'> {
  members: readonly Member[];
  /** Ids of the members that are meant: before the decision those that wait. */
  meant: ReadonlySet<string>;
  /** When it was proposed. */
  createdAtMs: number;
  /** The zone in which days are told. */
  zone: string;
}

/** Makes the words of a batch whose members are all changes of status. */
export function statusBatchWords(batch: StatusBatch<StoredProposal>, formats: Formats): StatusBatchWords {
  const parts = batch.members.map((stored) => ({ stored, parts: statusParts(stored) }));
  const asked = parts.filter(({ stored }) => batch.meant.has(stored.id));
  const moves = [...Map.groupBy(asked, (one) => one.parts.payload.status).values()].map((members) =>
    wordsOfStatus(together(members, batch.zone), formats),
  );
  const targets = moves.flatMap((words) => words.targets);
  const changing = targets.filter(({ statusBefore, statusAfter }) => statusBefore !== statusAfter);
  const campaignCount = changing.length;
  const byCid = new Map(targets.map((target) => [target.cid, target]));
  const asks = moves.some(({ typeToConfirm }) => typeToConfirm !== null);
  return {
    title: titleOf(batch, moves, campaignCount, formats),
    targets,
    risk: {
      ...moneyOf(changing, campaignCount, formats),
      bidFactor: null,
      notes: [...new Set(moves.flatMap(({ risk }) => risk.notes))],
    },
    warnings: warningsOf(batch, moves, changing, formats),
    typeToConfirm: asks
      ? { label: 'Type the number of campaigns to confirm', value: String(campaignCount) }
      : null,
    changes: moves.flatMap(({ changes }) => changes),
    unchanged: moves.flatMap(({ unchanged }) => unchanged),
    effects: { certainty: 'stated', changes: moves.flatMap(({ effects }) => effects.changes) },
    facts: moves.flatMap(({ facts }) => facts),
    comparable: null,
    campaignCount,
    targetsOf: new Map(
      parts.map(({ stored, parts: own }) => [
        stored.id,
        own.targets.map((target) => byCid.get(target.cid) ?? statusTargetView(target, own, formats)),
      ]),
    ),
  };
}

interface MemberParts {
  stored: StoredProposal;
  parts: ReturnType<typeof statusParts>;
}

/** Changes to one status as one; each campaign once. */
function together(members: readonly MemberParts[], zone: string): StatusContent {
  const [first] = members;
  if (first === undefined) throw new Error('A group has a member');
  const all = members.map(({ parts }) => parts);
  const targets = new Map(all.flatMap((parts) => parts.targets).map((target) => [target.cid, target]));
  return {
    ...first.parts,
    meant: all.every(({ meant }) => meant === 'running') ? 'running' : 'all',
    countedFrom: all.some(({ countedFrom }) => countedFrom === 'list') ? 'list' : 'campaigns',
    targets: [...targets.values()],
    payload: {
      ids: [...new Set(all.flatMap(({ payload }) => payload.ids))],
      status: first.parts.payload.status,
    },
    stoppedAs: members.flatMap(({ stored }) => stored.stoppedAs ?? []),
    zone,
    isOwn: members.every(({ stored }) => stored.proposedBy.kind === 'person'),
  };
}

function titleOf(
  { asOne, equally, createdAtMs }: Omit<StatusBatch, 'members'>,
  [only, second]: readonly ProposalWords[],
  count: number,
  formats: Formats,
): Sentence {
  const campaigns = formats.counted(count, 'campaign');
  if (asOne?.kind === 'return') {
    const [verb, their] = count === 1 ? ['returns', 'its'] : ['return', 'their'];
    return sentence`${ownWords(campaigns)} ${ownWords(verb)} to ${ownWords(their)} status of ${ownWords(formats.shortMoment(asOne.pausedAtMs, createdAtMs))}`;
  }
  return asOne?.kind === 'status' && only !== undefined && second === undefined
    ? only.title
    : sentence`${ownWords(equally)}: ${ownWords(campaigns)}`;
}

/** Warnings that only say again how many campaigns return, and what they may spend. */
const saidByTitle: ReadonlySet<WarningCode> = new Set<WarningCode>([
  'exposure_unlimited',
  'bulk_activation',
  'activates',
  'mixed_statuses',
]);

function warningsOf(
  { asOne }: Pick<StatusBatch, 'asOne'>,
  moves: readonly ProposalWords[],
  changing: ProposalView['targets'],
  formats: Formats,
): Warning[] {
  const all = [...new Map(moves.flatMap(({ warnings }) => warnings).map((one) => [one.text, one])).values()];
  if (asOne?.kind !== 'return') return all;
  const unlimited = changing.filter(({ perDay }) => perDay.after.unlimited).length;
  return [
    ...(unlimited === 0
      ? []
      : [warningOf('exposure_unlimited', noLimitWords(unlimited, changing.length, formats))]),
    ...all.filter(({ code }) => !saidByTitle.has(code)),
  ];
}

function noLimitWords(count: number, of: number, formats: Formats): Sentence {
  if (of === 1) return sentence`It has no daily limit.`;
  return count === of
    ? sentence`None of them has a daily limit.`
    : sentence`${ownWords(formats.count(count))} of them ${ownWords(count === 1 ? 'has' : 'have')} no daily limit.`;
}

/** A member of such a batch in its list. */
export function statusMemberView(
  member: ListedProposal,
  targets: ProposalView['targets'],
  formats: Formats,
): Extract<ProposalView['detail'], { kind: 'batch' }>['members'][number] {
  const { id, fingerprint, state, outcome, headline, quotation } = member;
  const [only, second] = targets;
  return {
    id,
    fingerprint,
    title: headline.title,
    state,
    targets,
    changes: only !== undefined && second === undefined ? [statusChange(only)] : [],
    quotation,
    perDay: restated(headline.perDay, formats),
    remarks: [],
    outcome: outcomeView(outcome),
  };
}

function statusChange(target: ProposalView['targets'][number]): ChangeView {
  const { statusBefore, statusAfter } = target;
  return {
    ...rowChange(target, true, 'status'),
    before: statusInWords(statusBefore),
    after: statusInWords(statusAfter),
  };
}
