import type { AppStore, ListedProposal } from '#core/store/app/index.ts';

type Listed = Pick<AppStore['proposals'], 'page'>;

/** More than can ever be open: the places for waiting changes are limited. */
const maxOpen = 10_000;

/** Everything that is open and not listed in an open batch, newest first. */
export function openOnes(proposals: Listed): ListedProposal[] {
  return proposals.page({ which: 'open', before: null, limit: maxOpen }).proposals;
}

/** The same in the order in which it is reviewed. */
export function waitingByRisk(proposals: Listed): ListedProposal[] {
  return openOnes(proposals).toSorted(byRisk);
}

const weights = { danger: 0, warning: 1, notice: 2 } as const;

/** The severest warning first, then the most money per day after the change, then the oldest. */
export function byRisk(one: ListedProposal, other: ListedProposal): number {
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

/** Newest first: ids sort as they were made. */
export function byAge(one: ListedProposal, other: ListedProposal): number {
  return one.id === other.id ? 0 : one.id > other.id ? -1 : 1;
}
