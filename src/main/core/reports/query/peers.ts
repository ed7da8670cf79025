import { type Peers, peersOf, type Rate, unlikeOf, type UnlikeRate } from '#shared/reports/index.ts';
import { type ColumnPlan, rateOf } from './columns.ts';
import type { Dataset } from './dataset.ts';
import type { Level } from './level.ts';
import { rowClass } from './row-classes.ts';

type SharePlan = ColumnPlan & { of: 'ratio' };

const isShare = (plan: ColumnPlan): plan is SharePlan => plan.kind === 'share' && plan.of === 'ratio';

/**
 * The shares of a group that are unlike those of its peers: the counted groups under the same parent, whatever a search lists. Groups that
 * do not count are not judged.
 */
export function unlikeRates(
  dataset: Dataset,
  { level, group }: { level: Level; group: number },
  plans: readonly ColumnPlan[],
): UnlikeRate[] {
  if (level.groups.current.status[group] !== rowClass.counted) return [];
  const shares = plans.filter(isShare);
  const peers = peersOfGroup(dataset, { level, group }, shares);
  return shares.flatMap((plan, at) => {
    const of = peers[at];
    const is = of && unlikeOf(groupRate(level, group, plan), of);
    return of && is ? [{ column: plan.id, is, typical: decimalText(of.typical) }] : [];
  });
}

/** For each share, what is typical among the groups under the parent of this one. Kept by the dataset. */
function peersOfGroup(
  dataset: Dataset,
  { level, group }: { level: Level; group: number },
  shares: readonly SharePlan[],
): readonly (Peers | null)[] {
  const { status } = level.groups.current;
  const parents = level.within?.parents;
  const parent = parents?.[group];
  return dataset.keep(JSON.stringify(['peers', level.key, parent ?? null]), () => {
    const groups: number[] = [];
    for (let other = 0; other < level.groupCount; other += 1)
      if (status[other] === rowClass.counted && parents?.[other] === parent) groups.push(other);
    const value = shares.map((plan) => peersOf(groups.map((other) => groupRate(level, other, plan))));
    return { value, bytes: 64 * shares.length };
  });
}

function groupRate({ groups }: Level, group: number, plan: SharePlan): Rate {
  const { sums } = groups.current;
  return rateOf(plan, (sum) => sums[sum]?.[group] ?? Number.NaN);
}

/** Decimal text of a share, to the decimals of the report's own. */
function decimalText(value: number): string {
  return String(Number(value.toFixed(6)));
}
