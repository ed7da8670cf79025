import type { CampaignCondition } from '#shared/find/index.ts';

export type ConditionKind = CampaignCondition['kind'];

/** A kind of condition as the menu of filters lists it. */
export interface KindEntry {
  kind: ConditionKind;
  title: string;
}

/** The kinds of conditions by what they need, in the order of the menu. */
export const conditionKinds: readonly { heading: string; entries: readonly KindEntry[] }[] = [
  {
    heading: 'From the list',
    entries: [
      { kind: 'status', title: 'Status' },
      { kind: 'type', title: 'Type' },
      { kind: 'country', title: 'Country' },
      { kind: 'countryTargeting', title: 'Country targeting' },
      { kind: 'budget', title: 'Budget' },
      { kind: 'bid', title: 'Bid' },
      { kind: 'name', title: 'Name' },
      { kind: 'ids', title: 'IDs' },
      { kind: 'bidControls', title: 'Bid controls' },
    ],
  },
  {
    heading: 'Yours, on this computer',
    entries: [
      { kind: 'label', title: 'Label' },
      { kind: 'note', title: 'Note' },
    ],
  },
  {
    heading: 'Needs campaigns in full',
    entries: [
      { kind: 'runsNow', title: 'Runs now' },
      { kind: 'endsWithin', title: 'Ends soon' },
      { kind: 'noEnd', title: 'No end date' },
      { kind: 'domain', title: 'Domain' },
      { kind: 'member', title: 'Targeting or filter entry' },
      { kind: 'pricing', title: 'Pricing' },
    ],
  },
];

/** The title of a kind. */
export function kindTitle(kind: ConditionKind): string {
  const entries = conditionKinds.flatMap((group) => group.entries);
  return entries.find((entry) => entry.kind === kind)?.title ?? kind;
}

/** Groups with the entries whose title contains what was typed. */
export function kindsMatching(typed: string): typeof conditionKinds {
  const text = typed.trim().toLowerCase();
  return conditionKinds
    .map(({ heading, entries }) => ({
      heading,
      entries: entries.filter(({ title }) => title.toLowerCase().includes(text)),
    }))
    .filter(({ entries }) => entries.length > 0);
}

/** The amount that was typed in a filter; null where it is none, or could be read in two ways. */
export function readAmount(typed: string): number | null {
  const text = typed.trim().replace(/^\$/u, '');
  return /^\d{1,12}(?:\.\d{1,6})?$/u.test(text) ? Number(text) : null;
}

/** The ids that were typed or pasted, in any separator, each once. */
export function readIds(typed: string): number[] {
  const ids = (typed.match(/\d{1,15}/gu) ?? []).map(Number).filter((id) => id > 0);
  return [...new Set(ids)];
}

/** The host of a pasted address, or the domain as it was typed. */
export function readDomain(typed: string): string {
  const text = typed.trim().toLowerCase();
  return /^[a-z][a-z\d+.-]*:\/\/([^/?#:]+)/u.exec(text)?.[1] ?? text.replace(/[/?#].*$/u, '');
}
