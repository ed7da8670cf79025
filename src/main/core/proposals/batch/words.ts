import type { StoredProposal } from '#core/store/app/index.ts';
import type { ProposalDetail, ProposalView } from '#shared/app-api/index.ts';
import { counted } from '#shared/lib/counted.ts';
import { rises, sumOf } from '../money-sum.ts';
import type { ProposalWords } from '../operation.ts';
import { outcomeView } from '../view.ts';
import type { BatchPayload } from './payload.ts';
import { batchWarnings } from './warnings.ts';

/** A member with the words that a person would read of it alone. */
export interface WordedMember {
  stored: StoredProposal;
  words: ProposalWords;
}

/** From more changes than this on, a person types their number. */
const mostUntyped = 20;

/** A batch for people: the sum of what its members risk, and every one of them. */
export function batchWords(
  { equally, members: listed, skipped }: BatchPayload,
  members: readonly WordedMember[],
): ProposalWords {
  const all = members.map(({ words }) => words);
  const targets = distinctTargets(members);
  const risk = riskOf(all);
  return {
    title: `${equally}: ${counted(listed.length, 'change')}`,
    targets,
    risk,
    warnings: batchWarnings(
      all.map(({ warnings }) => warnings),
      targets.length,
    ),
    typeToConfirm: typedValue(listed.length, risk, all),
    changes: [],
    unchanged: [],
    detail: { kind: 'batch', equally, members: members.map(memberView), skipped, askedBy: askedBy(members) },
    group: groupOf(all),
  };
}

/** What all of them do equally: by it a page tells which others came after this batch was made. No batch joins another. */
function groupOf(all: readonly ProposalWords[]): ProposalWords['group'] {
  const [first] = all;
  const isShared = all.every(({ group }) => group !== null && group.key === first?.group?.key);
  return isShared ? (first?.group ?? null) : null;
}

function riskOf(all: readonly ProposalWords[]): ProposalView['risk'] {
  const risks = all.map(({ risk }) => risk);
  return {
    perDay: sumOf(risks.map(({ perDay }) => perDay)),
    untilEnd: sumOf(risks.map(({ untilEnd }) => untilEnd)),
    endsOn: common(risks.map(({ endsOn }) => endsOn)),
    bidFactor: common(risks.map(({ bidFactor }) => bidFactor)),
    notes: [...limitlessNotes(risks), ...new Set(risks.flatMap(({ notes }) => notes))],
  };
}

/** One change without a limit hides the sum of all the others: how many there are is said. */
function limitlessNotes(risks: readonly ProposalView['risk'][]): string[] {
  const count = risks.filter(({ perDay }) => perDay.after.unlimited).length;
  const verb = count === 1 ? 'has' : 'have';
  return count === 0 || count === risks.length
    ? []
    : [`${count} of ${counted(risks.length, 'change')} ${verb} no limit per day.`];
}

/** Many changes, more money, or a member that asks for it: then a slip of the hand must not be enough. */
function typedValue(
  count: number,
  { perDay, untilEnd }: ProposalView['risk'],
  all: readonly ProposalWords[],
): ProposalView['typeToConfirm'] {
  const asks = all.some(({ typeToConfirm }) => typeToConfirm !== null);
  if (count <= mostUntyped && !asks && !rises(perDay) && !rises(untilEnd)) return null;
  return { label: 'Type the number of changes to confirm', value: String(count) };
}

function memberView({
  stored,
  words,
}: WordedMember): Extract<ProposalDetail, { kind: 'batch' }>['members'][number] {
  const { id, fingerprint, state, outcome, headline, quotation } = stored;
  const { targets, changes, risk } = words;
  const { perDay } = risk;
  return {
    id,
    fingerprint,
    title: headline.title,
    state,
    targets,
    changes,
    quotation,
    perDay,
    outcome: outcomeView(outcome),
  };
}

/** Who wants the members, each once, in the order of the list. */
function askedBy(members: readonly WordedMember[]): Extract<ProposalDetail, { kind: 'batch' }>['askedBy'] {
  const who = members.map(({ stored }) => stored.proposedBy);
  return [...new Map(who.map(({ kind, name, agentId }) => [agentId ?? kind, { kind, name }])).values()];
}

/** Each campaign once, as the last member that touches it leaves it. */
function distinctTargets(members: readonly WordedMember[]): ProposalView['targets'] {
  const targets = members.flatMap(({ words }) => words.targets);
  return [...new Map(targets.map((target) => [target.cid, target])).values()];
}

function common(values: readonly (string | null)[]): string | null {
  const [first = null, ...others] = new Set(values);
  return others.length === 0 ? first : null;
}
