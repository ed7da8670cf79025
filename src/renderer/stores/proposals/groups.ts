import type { ProposalSummary } from '#shared/app-api/index.ts';
import { sumPairs } from '#shared/campaign/index.ts';
import { isUndecided } from '#shared/proposals/states.ts';

/** Waiting proposals that make an equal change, to be decided together or one by one. */
export interface ProposalGroup {
  kind: 'group';
  /** Stable for the life of the group, however many arrive. */
  key: string;
  /** The effect of each, in words. */
  title: string;
  /** In the order of the list. */
  members: readonly ProposalSummary[];
  perDay: ProposalSummary['perDay'];
  /** Number of those without a limit before and after: they are not in the sum. */
  alwaysUnlimited: number;
  /** A batch of the same change is waiting or under way: these came after it was made and are not in it. */
  afterBatch: boolean;
}

/** A proposal on its own. */
export interface SingleProposal {
  kind: 'single';
  summary: ProposalSummary;
  /** The reason if it is not decided with a group beside it; null if that needs no explanation. */
  apart: 'outlier' | 'late' | null;
}

export type WaitingEntry = ProposalGroup | SingleProposal;

/** Proposals with the same mark make the same change for the same account; null for those that are always alone. */
function markOf({ groupKey, profile }: ProposalSummary): string | null {
  return groupKey === null ? null : JSON.stringify([profile.id, profile.account, groupKey]);
}

/**
 * The waiting list with equal changes folded into groups. A change that differs from a group comes first: it looks like the
 * others and is not, or it is dangerous. A group holds what was not listed in a batch before, so whatever arrives while
 * a batch is on screen is another group.
 */
export function arrange(items: readonly ProposalSummary[]): WaitingEntry[] {
  const batched = new Set(items.filter(isBatch).map(markOf));
  const groups = groupsOf(items, batched);
  const grouped = new Set(groups.flatMap(({ members }) => members.map(({ id }) => id)));
  const singles = items
    .filter(({ id }) => !grouped.has(id))
    .map((summary): SingleProposal => ({
      kind: 'single',
      summary,
      apart: apartOf(summary, groups, batched),
    }));
  return [
    ...singles.filter(({ apart }) => apart === 'outlier'),
    ...groups,
    ...singles.filter(({ apart }) => apart !== 'outlier'),
  ];
}

function isBatch({ operation }: ProposalSummary): boolean {
  return operation === 'batch';
}

function groupsOf(items: readonly ProposalSummary[], batched: ReadonlySet<string | null>): ProposalGroup[] {
  const byMark = Map.groupBy(
    items.filter((item) => !isBatch(item) && isUndecided(item.state)),
    markOf,
  );
  return [...byMark].flatMap(([key, members]): ProposalGroup[] => {
    const [first] = members;
    if (key === null || first === undefined || members.length < 2) return [];
    const title = first.groupTitle ?? first.title;
    const { pair: perDay, alwaysUnlimited } = sumPairs(members.map((member) => member.perDay));
    return [{ kind: 'group', key, title, members, perDay, alwaysUnlimited, afterBatch: batched.has(key) }];
  });
}

function apartOf(
  summary: ProposalSummary,
  groups: readonly ProposalGroup[],
  batched: ReadonlySet<string | null>,
): SingleProposal['apart'] {
  if (isBatch(summary) || !isUndecided(summary.state)) return null;
  const mark = markOf(summary);
  if (mark !== null && batched.has(mark)) return 'late';
  if (groups.length === 0) return null;
  const looksAlike = groups.some(({ members: [first] }) => {
    return first?.operation === summary.operation && first.profile.id === summary.profile.id;
  });
  return looksAlike || summary.worstWarning === 'danger' ? 'outlier' : null;
}
