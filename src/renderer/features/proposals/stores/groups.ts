import type { ProposalSummary } from '#shared/app-api/index.ts';
import { sumPairs } from '#shared/campaign/index.ts';
import { isUndecided } from '#shared/proposals/states.ts';
import type { Formats } from '#shared/lib/formats.ts';

export interface ProposalGroup {
  kind: 'group';
  key: string;
  title: string;
  members: readonly ProposalSummary[];
  perDay: ProposalSummary['perDay'];
  alwaysUnlimited: number;
  /** True if the members arrived after a batch of an equal change. The batch does not contain them. */
  afterBatch: boolean;
}

export interface SingleProposal {
  kind: 'single';
  summary: ProposalSummary;
  /** Why the proposal is not part of a group. Null if that needs no explanation. */
  apart: 'above' | 'below' | 'late' | null;
}

export type WaitingEntry = ProposalGroup | SingleProposal;

/** Equal for proposals that make an equal change in one account. Null for proposals that are never grouped. */
function markOf({ groupKey, profile }: ProposalSummary): string | null {
  return groupKey === null ? null : JSON.stringify([profile.id, profile.account, groupKey]);
}

/**
 * Combines equal changes of the waiting list into a group. The group takes the position of its first member, so that a
 * harmless group never precedes a riskier single change. A similar but different change is marked. Proposals that
 * arrive while a batch is open form a new group.
 */
export function arrange(items: readonly ProposalSummary[], formats: Formats): WaitingEntry[] {
  const batched = new Set(items.filter(isBatch).map(markOf));
  const groups = groupsOf(items, batched, formats);
  const groupOf = new Map(groups.flatMap((group) => group.members.map(({ id }) => [id, group] as const)));
  return items.flatMap((summary, at): WaitingEntry[] => {
    const group = groupOf.get(summary.id);
    if (group !== undefined) return group.members[0]?.id === summary.id ? [group] : [];
    const isAbove = (other: ProposalGroup): boolean =>
      items.findIndex(({ id }) => id === other.members[0]?.id) > at;
    return [{ kind: 'single', summary, apart: apartOf(summary, { groups, batched, isAbove }) }];
  });
}

function isBatch({ operation }: ProposalSummary): boolean {
  return operation === 'batch';
}

function groupsOf(
  items: readonly ProposalSummary[],
  batched: ReadonlySet<string | null>,
  formats: Formats,
): ProposalGroup[] {
  const byMark = Map.groupBy(
    items.filter((item) => !isBatch(item) && isUndecided(item.state)),
    markOf,
  );
  return [...byMark].flatMap(([mark, members]): ProposalGroup[] => {
    const [first] = members;
    if (mark === null || first === undefined || members.length < 2) return [];
    // The lowest id is the oldest.
    const key = members.reduce((oldest, { id }) => (id < oldest ? id : oldest), first.id);
    const title = first.groupTitle ?? first.title;
    const { pair: perDay, alwaysUnlimited } = sumPairs(
      members.map((member) => member.perDay),
      formats,
    );
    return [{ kind: 'group', key, title, members, perDay, alwaysUnlimited, afterBatch: batched.has(mark) }];
  });
}

interface GroupContext {
  groups: readonly ProposalGroup[];
  batched: ReadonlySet<string | null>;
  isAbove(group: ProposalGroup): boolean;
}

function apartOf(
  summary: ProposalSummary,
  { groups, batched, isAbove }: GroupContext,
): SingleProposal['apart'] {
  if (isBatch(summary) || !isUndecided(summary.state)) return null;
  const mark = markOf(summary);
  if (mark !== null && batched.has(mark)) return 'late';
  const alike = groups.find(({ members: [first] }) => {
    return first?.operation === summary.operation && first.profile.id === summary.profile.id;
  });
  if (alike === undefined) return null;
  return isAbove(alike) ? 'above' : 'below';
}

/** Without a choice, the first waiting proposal is shown. It stays after its decision, so that a person can read the result. */
export function shownByItself(ids: {
  selectedId: string | null;
  byItself: string | null;
  firstWaiting: string | null;
}): string | null {
  return ids.selectedId === null ? (ids.byItself ?? ids.firstWaiting) : null;
}
