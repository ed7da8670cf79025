import { isPausedByApp, runs, type StatusGroup } from '#shared/campaign/index.ts';
import type { StatusCode } from '#shared/contract/index.ts';

/** A part of the selection that an activation may mean, by status and by how it was stopped. */
export interface ActivationPart {
  group: StatusGroup;
  /**
   * `own` was paused through this app, and is chosen unless the person says otherwise; `other` has to be chosen; `already` has the
   * status; `refused` may not be given it by a member (contract §3).
   */
  kind: 'own' | 'other' | 'already' | 'refused';
  isChosen: boolean;
}

/** A choice that an activation of a mixed selection waits for. */
export interface ActivationChoice {
  status: StatusCode;
  parts: readonly ActivationPart[];
}

const pending = 0;

/** The choice that this status for these groups needs; null where one group alone can change. */
export function activationChoice(
  status: StatusCode,
  groups: readonly StatusGroup[],
): ActivationChoice | null {
  const parts = groups.map((group): ActivationPart => {
    const kind = kindOf(group, status);
    return { group, kind, isChosen: kind === 'own' };
  });
  const open = parts.filter(isOpenPart).length;
  const isRefused = parts.some(({ kind }) => kind === 'refused');
  return open > 1 || (open === 1 && isRefused) ? { status, parts } : null;
}

/** True for a part that can be chosen. */
export function isOpenPart({ kind }: ActivationPart): boolean {
  return kind === 'own' || kind === 'other';
}

/** The choice with this part chosen or not; a part that cannot be chosen stays as it is. */
export function withPart(choice: ActivationChoice, index: number, isChosen: boolean): ActivationChoice {
  const parts = choice.parts.map((part, at) =>
    at === index && isOpenPart(part) ? { ...part, isChosen } : part,
  );
  return { ...choice, parts };
}

/** The campaigns of the chosen parts. */
export function chosenCids({ parts }: ActivationChoice): number[] {
  return parts.filter(({ isChosen }) => isChosen).flatMap(({ group }) => group.cids);
}

function kindOf(group: StatusGroup, to: StatusCode): ActivationPart['kind'] {
  if (group.status === to) return 'already';
  if (group.status === pending && runs(to)) return 'refused';
  return isPausedByApp(group) ? 'own' : 'other';
}
