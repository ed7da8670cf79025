import type { ComparedField, FieldOperand, ListedProposal } from '#core/store/app/index.ts';
import type { ProposalSummary } from '#shared/app-api/index.ts';
import { isUndecided } from '#shared/proposals/states.ts';
import { commonOperand, explainsAll, operandKey } from './common-operand.ts';
import { titles } from '#shared/wording/index.ts';
import type { Formats } from '#shared/lib/formats.ts';

export type ListedGroup = Pick<ProposalSummary, 'groupKey' | 'groupTitle'>;

export const alone: ListedGroup = { groupKey: null, groupTitle: null };

/**
 * Groups waiting changes of one account that one operand explains, such as “raise by 10%”. A change that fits an open batch
 * joins the batch's group, so that a page can show that the change arrived later. Equal changes always stay in one group. If a
 * change fits several groups, the largest group gets it.
 */
export function groupsOf(
  open: readonly ListedProposal[],
  formats: Formats,
): ReadonlyMap<string, ListedGroup> {
  const found = new Map<string, ListedGroup>();
  for (const proposals of Map.groupBy(open, scopeOf).values()) groupScope(proposals, found, formats);
  return found;
}

function scopeOf({ profile }: ListedProposal): string {
  return JSON.stringify([profile.id, profile.account]);
}

interface Member {
  id: string;
  fields: ComparedField[];
}

interface Group {
  members: Member[];
  operand: FieldOperand[];
}

function groupScope(
  proposals: readonly ListedProposal[],
  found: Map<string, ListedGroup>,
  formats: Formats,
): void {
  const batches: { operand: FieldOperand[]; group: ListedGroup }[] = [];
  for (const { id, headline } of proposals) {
    if (headline.operand === null) continue;
    const group = groupBy(headline.operand, formats);
    batches.push({ operand: headline.operand, group });
    found.set(id, group);
  }
  const free: Member[] = [];
  for (const { id, state, headline } of proposals) {
    if (headline.comparable === null || !isUndecided(state)) continue;
    const { comparable: fields } = headline;
    const batch = batches.find(({ operand }) => explainsAll(operand, fields));
    if (batch === undefined) free.push({ id, fields });
    else found.set(id, batch.group);
  }
  for (const { operand, members } of joined(exactGroups(free))) {
    const group = groupBy(operand, formats);
    for (const { id } of members) found.set(id, group);
  }
}

function groupBy(operand: readonly FieldOperand[], formats: Formats): ListedGroup {
  return { groupKey: operandKey(operand), groupTitle: titles.operand(operand, formats) };
}

function exactGroups(members: readonly Member[]): Group[] {
  const groups = new Map<string, Group>();
  for (const member of members) {
    const operand = commonOperand([member.fields]);
    if (operand === null) continue;
    const key = operandKey(operand);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { members: [member], operand });
    else group.members.push(member);
  }
  return [...groups.values()].toSorted((one, other) => other.members.length - one.members.length);
}

function joined(groups: readonly Group[]): Group[] {
  const merged: Group[] = [];
  for (const group of groups) {
    const at = merged.findIndex(({ members }) => commonFor(members, group.members) !== null);
    const into = merged[at];
    const operand = into === undefined ? null : commonFor(into.members, group.members);
    if (into === undefined || operand === null) merged.push(group);
    else merged[at] = { members: [...into.members, ...group.members], operand };
  }
  return merged;
}

function commonFor(members: readonly Member[], others: readonly Member[]): FieldOperand[] | null {
  return commonOperand([...members, ...others].map(({ fields }) => fields));
}
