import type { ListedProposal, StoredProposal } from '#core/store/app/index.ts';
import type { ProposalDetail, ProposalView } from '#shared/app-api/index.ts';
import { restated } from '#shared/campaign/index.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { isUndecided } from '#shared/proposals/states.ts';
import {
  batchWords,
  rowChange,
  statusBatchWords,
  type StatusChange,
  statusInWords,
  statusTargetView,
  statusWords,
  type WriteWords,
} from '#shared/wording/index.ts';
import type { ProposalWords } from '../operation.ts';
import { outcomeView } from '../outcome.ts';
import { statusParts } from '../status-change/stored-parts.ts';
import { commonOperand } from './common-operand.ts';
import type { BatchPayload } from '../stored-proposals.ts';

export interface DescribedMember {
  stored: StoredProposal;
  words: ProposalWords;
}

/** Before the decision, only members that wait count. The others are listed with their state. */
export function describeBatch(
  { equally, skipped, isOpen }: BatchPayload & { isOpen: boolean },
  members: readonly DescribedMember[],
  formats: Formats,
): ProposalWords {
  const included = isOpen ? members.filter(({ stored }) => isUndecided(stored.state)) : members;
  const operand = commonOperand(included.map(({ words }) => words.comparable));
  const { remarks, ...words } = batchWords(
    {
      equally,
      operand,
      members: included.map((member) => ({ words: member.words, isStatus: isStatusChange(member) })),
    },
    formats,
  );
  const remarksOf = new Map(included.map(({ stored }, index) => [stored.id, remarks[index] ?? []]));
  return {
    ...words,
    detail: {
      kind: 'batch',
      equally,
      members: members.map((member) => memberView(member, remarksOf.get(member.stored.id) ?? [])),
      skipped,
      askedBy: askersOf(members.map(({ stored }) => stored)),
    },
    comparable: null,
    operand,
  };
}

function isStatusChange({ stored, words: { detail } }: DescribedMember): boolean {
  return detail.kind === 'tool' ? detail.known === 'status' : stored.operation === 'campaign.status';
}

type MemberView = Extract<ProposalDetail, { kind: 'batch' }>['members'][number];

function memberView({ stored, words }: DescribedMember, remarks: MemberView['remarks']): MemberView {
  const { targets, changes, risk } = words;
  return { ...listedMember(stored), targets, changes, perDay: risk.perDay, remarks };
}

function listedMember({
  id,
  fingerprint,
  state,
  outcome,
  headline,
  quotation,
}: ListedProposal): Pick<MemberView, 'id' | 'fingerprint' | 'title' | 'state' | 'quotation' | 'outcome'> {
  return { id, fingerprint, title: headline.title, state, quotation, outcome: outcomeView(outcome) };
}

export function askersOf(
  members: readonly Pick<StoredProposal, 'proposedBy'>[],
): Extract<ProposalDetail, { kind: 'batch' }>['askedBy'] {
  const who = members.map(({ proposedBy }) => proposedBy);
  return [...new Map(who.map(({ kind, name, agentId }) => [agentId ?? kind, { kind, name }])).values()];
}

export interface StatusBatch<Member = ListedProposal> extends Pick<BatchPayload, 'equally' | 'asOne'> {
  members: readonly Member[];
  included: ReadonlySet<string>;
  createdAtMs: number;
  zone: string;
}

export interface DescribedStatusBatch {
  words: WriteWords;
  campaignCount: number;
  targetsOf: ReadonlyMap<string, ProposalView['targets']>;
}

export function describeStatusBatch(
  { members, included, equally, asOne, createdAtMs, zone }: StatusBatch<StoredProposal>,
  formats: Formats,
): DescribedStatusBatch {
  const parts = members.map((stored) => ({ stored, parts: statusParts(stored) }));
  const asked = parts.filter(({ stored }) => included.has(stored.id));
  const byStatus = Map.groupBy(asked, (one) => one.parts.payload.status);
  const moves = [...byStatus.values()].map((group) => statusWords(together(group, zone), formats));
  const words = statusBatchWords({ equally, asOne, moves, createdAtMs }, formats);
  const byCid = new Map(words.targets.map((target) => [target.cid, target]));
  return {
    words,
    campaignCount: words.effects.changes.length,
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

function together(members: readonly MemberParts[], zone: string): StatusChange {
  const [first] = members;
  if (first === undefined) throw new Error('A group has a member');
  const all = members.map(({ parts }) => parts);
  const targets = new Map(all.flatMap((parts) => parts.targets).map((target) => [target.cid, target]));
  return {
    targeted: all.every(({ targeted }) => targeted === 'running') ? 'running' : 'all',
    countedFrom: all.some(({ countedFrom }) => countedFrom === 'list') ? 'list' : 'campaigns',
    targets: [...targets.values()],
    payload: first.parts.payload,
    stoppedAs: members.flatMap(({ stored }) => stored.stoppedAs ?? []),
    zone,
    returnAtMs: first.parts.returns?.atMs ?? null,
    isOwn: members.every(({ stored }) => stored.proposedBy.kind === 'person'),
  };
}

export function statusMemberView(
  member: ListedProposal,
  targets: ProposalView['targets'],
  formats: Formats,
): MemberView {
  const [only, second] = targets;
  return {
    ...listedMember(member),
    targets,
    changes:
      only === undefined || second !== undefined
        ? []
        : [
            {
              ...rowChange(only, true, 'status'),
              before: statusInWords(only.statusBefore),
              after: statusInWords(only.statusAfter),
            },
          ],
    perDay: restated(member.headline.perDay, formats),
    remarks: [],
  };
}
