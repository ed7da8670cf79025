import { counted } from '#shared/lib/counted.ts';

/** What a batch does to one campaign's status. */
export interface StatusPair {
  statusBefore: number;
  statusAfter: number;
}

/** True for a campaign of a batch that has the status already: it is named, and nothing happens to it. */
export const stays = ({ statusBefore, statusAfter }: StatusPair): boolean => statusBefore === statusAfter;

/** How many campaigns a batch changes, of how many it names: `1 campaign`, `7 campaigns`, `2 of 7 campaigns`. */
export function targetCount(targets: readonly StatusPair[]): string {
  const changed = targets.filter((target) => !stays(target)).length;
  const all = counted(targets.length, 'campaign');
  if (targets.length === 1) return all;
  return changed === targets.length ? all : `${changed} of ${all}`;
}

/** What the button approves. One campaign may change in many fields and is still one change. */
export function approveWords(targets: readonly StatusPair[]): string {
  const changed = targets.length > 1 ? targets.filter((target) => !stays(target)).length : 1;
  return changed === 1 ? 'Approve change' : `Approve ${changed} changes`;
}
