import type { AppStore, ListedProposal } from '#core/store/app/index.ts';
import type { AppInput, AppOutput, ProposalSummary, ProposerFilter } from '#shared/app-api/index.ts';
import { alone, groupsOf, type ListedGroup } from '../operations/batch/groups.ts';
import { outcomeView } from '../operations/outcome.ts';
import { restated } from '#shared/campaign/index.ts';
import type { Formats } from '#shared/lib/formats.ts';

type OpenReader = Pick<AppStore['proposals'], 'page'>;

const maxOpen = 10_000;

function openOnes(proposals: OpenReader): ListedProposal[] {
  return proposals.page({ which: 'open', before: null, limit: maxOpen }).proposals;
}

export function waitingByRisk(proposals: OpenReader): ListedProposal[] {
  return openOnes(proposals).toSorted(byRisk);
}

const weights = { danger: 0, warning: 1, notice: 2 } as const;

function byRisk(one: ListedProposal, other: ListedProposal): number {
  return weightOf(one) - weightOf(other) || byMoney(one, other) || byAge(other, one);
}

function weightOf({ headline: { worstWarning } }: ListedProposal): number {
  return worstWarning === null ? 3 : weights[worstWarning];
}

function byMoney(one: ListedProposal, other: ListedProposal): number {
  const [money, others] = [one.headline.perDay.after, other.headline.perDay.after];
  if (money.unlimited || others.unlimited) return Number(others.unlimited) - Number(money.unlimited);
  const difference = BigInt(others.micros) - BigInt(money.micros);
  return difference === 0n ? 0 : difference > 0n ? 1 : -1;
}

/** Sorts the newest first: ids ascend with the time of creation. */
function byAge(one: ListedProposal, other: ListedProposal): number {
  return one.id === other.id ? 0 : one.id > other.id ? -1 : 1;
}

type Input = AppInput<'proposals.list'>;
type Output = AppOutput<'proposals.list'>;

type Listed = Pick<AppStore['proposals'], 'page' | 'findListed'>;

export function listProposals(proposals: Listed, input: Input, formats: Formats): Output {
  const { before, limit } = input;
  if (input.which === 'waiting') return listWaiting(proposals, input, formats);
  const past = proposals.page({ which: 'settled', before, limit });
  return { items: past.proposals.map((one) => proposalSummary(one, alone, formats)), total: past.total };
}

function listWaiting(
  proposals: Listed,
  { before, limit, order = 'newest', by }: Input,
  formats: Formats,
): Output {
  const open = openOnes(proposals);
  const compare = order === 'risk' ? byRisk : byAge;
  const listed = open.filter((one) => by === undefined || isBy(one, by)).toSorted(compare);
  // The last proposal of the previous page may have been decided. Its sort position still marks where this page begins.
  const last = before === null ? null : proposals.findListed(before);
  const following = last === null ? listed : listed.filter((one) => compare(last, one) < 0);
  const groups = groupsOf(open, formats);
  return {
    items: following.slice(0, limit).map((one) => proposalSummary(one, groups.get(one.id) ?? alone, formats)),
    total: listed.length,
    proposers: proposersOf(open),
  };
}

function isBy({ proposedBy }: ListedProposal, by: ProposerFilter): boolean {
  return proposedBy.kind === by.kind && proposedBy.agentId === by.agentId;
}

function proposersOf(open: readonly ListedProposal[]): NonNullable<Output['proposers']> {
  const byProposer = Map.groupBy(open, ({ proposedBy: { kind, agentId } }) =>
    JSON.stringify([kind, agentId]),
  );
  return [...byProposer.values()].flatMap((proposals) => {
    const [first] = proposals;
    if (first === undefined) return [];
    const { kind, name, agentId } = first.proposedBy;
    return [{ kind, name, agentId, count: proposals.length }];
  });
}

function proposalSummary(stored: ListedProposal, group: ListedGroup, formats: Formats): ProposalSummary {
  const { comparable: _c, operand: _o, warningCodes: _w, ...headline } = stored.headline;
  return {
    ...recordOf(stored),
    ...headline,
    perDay: restated(headline.perDay, formats),
    ...group,
    targetCount: stored.targets.length,
  };
}

export function recordOf(stored: ListedProposal) {
  const { id, operation, state, profile, proposedBy, createdAtMs, expiresAtMs, updatedAtMs, replacedBy } =
    stored;
  const outcome = outcomeView(stored.outcome);
  return {
    id,
    operation,
    state,
    profile,
    proposedBy,
    createdAtMs,
    expiresAtMs,
    updatedAtMs,
    replacedBy,
    outcome,
  };
}
