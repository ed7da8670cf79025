import { type CampaignCondition, maxFound } from '#shared/find/index.ts';

export type ConditionKind = CampaignCondition['kind'];

interface KindEntry {
  kind: ConditionKind;
  title: string;
  also?: string;
}

export const conditionKinds: readonly { heading: string; entries: readonly KindEntry[] }[] = [
  {
    heading: 'From the list',
    entries: [
      { kind: 'status', title: 'Status' },
      { kind: 'type', title: 'Type' },
      { kind: 'country', title: 'Country' },
      { kind: 'countryTargeting', title: 'Country targeting' },
      { kind: 'budget', title: 'Budget' },
      { kind: 'spendsToday', title: 'At risk today', also: 'money without a limit' },
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
    heading: 'Slower: reads every campaign',
    entries: [
      { kind: 'runsNow', title: 'Runs now', also: 'weekly schedule hours' },
      { kind: 'endsWithin', title: 'Ends soon' },
      { kind: 'noEnd', title: 'No end date' },
      { kind: 'domain', title: 'Domain', also: 'click url website' },
      { kind: 'member', title: 'Targeting or filter entry' },
      { kind: 'pricing', title: 'Pricing' },
    ],
  },
];

export function kindTitle(kind: ConditionKind): string {
  const entries = conditionKinds.flatMap((group) => group.entries);
  return entries.find((entry) => entry.kind === kind)?.title ?? kind;
}

export function kindsMatching(typed: string): typeof conditionKinds {
  const text = typed.trim().toLowerCase();
  return conditionKinds
    .map(({ heading, entries }) => ({
      heading,
      entries: entries.filter(({ title, also = '' }) => `${title} ${also}`.toLowerCase().includes(text)),
    }))
    .filter(({ entries }) => entries.length > 0);
}

/** Null if the text is no amount or is ambiguous. */
export function readAmount(typed: string): number | null {
  const text = typed.trim().replace(/^\$/u, '');
  return /^\d{1,12}(?:\.\d{1,6})?$/u.test(text) ? Number(text) : null;
}

export function readIds(typed: string): number[] {
  const ids = (typed.match(/\d{1,15}/gu) ?? []).map(Number).filter((id) => id > 0);
  return [...new Set(ids)];
}

/** The ids in a text that consists of at least two ids only. Null for any other text. */
export function readIdList(text: string): number[] | null {
  if (!/^[\s,;]*\d{1,15}(?:[\s,;]+\d{1,15})+[\s,;]*$/u.test(text)) return null;
  const ids = readIds(text);
  return ids.length > 1 && ids.length <= maxFound ? ids : null;
}

export function readDomain(typed: string): string {
  const text = typed.trim().toLowerCase();
  return /^[a-z][a-z\d+.-]*:\/\/([^/?#:]+)/u.exec(text)?.[1] ?? text.replace(/[/?#].*$/u, '');
}
