import { campaignFields, decodeSchedule, hoursOn, targetingDimensions } from '#shared/campaign/index.ts';
import { valueInWords } from '#shared/wording/index.ts';
import { filterFields, membersOf } from '#shared/drafts/index.ts';
import { fullDateText } from '#shared/lib/date-text.ts';
import { webHost } from '#shared/lib/web-address.ts';
import type { ReactElement } from 'react';
import { type Editing, isUsed, textOf } from './editing.ts';
import { BidControlsSection } from './sections/bid-controls-section.tsx';
import { BudgetSection, PacingSection } from './sections/budget-section.tsx';
import { CreativeSection } from './sections/creative/creative-section.tsx';
import {
  FiltersSection,
  OtherSection,
  otherFields,
  TargetingSection,
} from './sections/targeting-section.tsx';
import { IdentitySection } from './sections/identity-section.tsx';
import { ScheduleSection } from './sections/schedule-section.tsx';
import type { Formats } from '#shared/lib/formats.ts';

export interface EditorSection {
  id: string;
  title: string;
  fieldsOf: (editing: Editing) => readonly string[];
  summary: (editing: Editing, formats: Formats) => string;
  Content: (props: { editing: Editing }) => ReactElement;
}

const of = (fields: readonly string[]) => () => fields;

export const sections: readonly EditorSection[] = [
  {
    id: 'identity',
    title: 'Identity',
    fieldsOf: of(['name', 'type', 'status', 'clickurl', 'website']),
    summary: (editing, formats) =>
      [
        words(editing, 'type', formats),
        words(editing, 'status', formats),
        webHost(textOf(editing, 'clickurl')) ?? webHost(textOf(editing, 'website')),
      ]
        .filter((part) => part !== null)
        .join(' · '),
    Content: IdentitySection,
  },
  {
    id: 'creative',
    title: 'Creative',
    fieldsOf: of(campaignFields.creative),
    summary: (editing) =>
      textOf(editing, 'title') || (isUsed(editing, 'title') ? 'No title' : 'Not used by this type'),
    Content: CreativeSection,
  },
  {
    id: 'budget',
    title: 'Bid, budget and flight',
    fieldsOf: of(['payout', ...campaignFields.budget, ...campaignFields.flight]),
    summary: (editing, formats) =>
      `${words(editing, 'payout', formats)} bid · ${
        editing.payload['enable_budget'] === 0 ? 'no budget' : `${words(editing, 'd_revenue', formats)} a day`
      } · ${endWords(editing)}`,
    Content: BudgetSection,
  },
  {
    id: 'schedule',
    title: 'Weekly schedule',
    fieldsOf: of(campaignFields.schedule),
    summary: (editing) => {
      const week = decodeSchedule(editing.payload['shedule']);
      if (editing.payload['enable_shedule'] === 0) return 'Always';
      return week === null
        ? 'Unknown shape'
        : hoursOn(week) === 168
          ? 'Always'
          : `${hoursOn(week)} of 168 hours · ${textOf(editing, 'shedule_timezone')}`;
    },
    Content: ScheduleSection,
  },
  {
    id: 'targeting',
    title: 'Targeting',
    fieldsOf: of(campaignFields.targeting),
    summary: (editing, formats) => {
      const limited = targetingDimensions.filter(
        ({ flag }) => isUsed(editing, flag) && editing.payload[flag] === 0,
      );
      const [first, ...rest] = limited.map(({ list, one, many }) =>
        formats.counted(membersOf(editing.payload[list])?.length ?? 0, one, many),
      );
      if (first === undefined) return 'Everything';
      return rest.length === 0 ? first : `${first} · ${formats.counted(rest.length, 'more limit')}`;
    },
    Content: TargetingSection,
  },
  {
    id: 'filters',
    title: 'Keywords and filters',
    fieldsOf: ({ campaign }) => [...campaignFields.keywords, ...filterFields(campaign)],
    summary: (editing, formats) => {
      const sizes = ['keywords_whitelist', 'keywords_blocklist', ...filterFields(editing.campaign)]
        .map((field) => membersOf(editing.payload[field])?.length ?? 0)
        .filter((size) => size > 0);
      if (sizes.length === 0) return 'All lists are empty';
      const entries = sizes.reduce((sum, size) => sum + size, 0);
      return `${formats.counted(entries, 'entry', 'entries')} in ${formats.counted(sizes.length, 'list')}`;
    },
    Content: FiltersSection,
  },
  {
    id: 'bids',
    title: 'Bid controls',
    fieldsOf: of(['bidControl']),
    summary: (editing, formats) => {
      const controls = editing.payload['bidControl'];
      const count = Array.isArray(controls) ? controls.length : 0;
      return count === 0 ? 'None' : formats.counted(count, 'bid control');
    },
    Content: BidControlsSection,
  },
  {
    id: 'pacing',
    title: 'Frequency and pacing',
    fieldsOf: of(campaignFields.pacing),
    summary: (editing, formats) =>
      `Cap ${modeWords(editing, 'freq_cap', 'freq_counter', formats)} · pacing ${modeWords(editing, 'traffic_speed', 'traffic_speed_counter', formats)}`,
    Content: PacingSection,
  },
  {
    id: 'other',
    title: 'Other fields',
    fieldsOf: ({ campaign }) => otherFields(campaign),
    summary: ({ campaign }, formats) =>
      `${formats.counted(otherFields(campaign).length, 'field')}, kept unchanged`,
    Content: OtherSection,
  },
];

export function sectionWith(id: string): EditorSection {
  const found = sections.find((section) => section.id === id) ?? sections[0];
  if (found === undefined) throw new Error('There are sections');
  return found;
}

export function marksOf(section: EditorSection, editing: Editing): { changed: number; errors: number } {
  const fields = new Set(section.fieldsOf(editing));
  const conflicts = editing.conflicts.filter(({ field }) => fields.has(field)).length;
  return {
    changed: editing.changed.filter((field) => fields.has(field)).length,
    errors: [...editing.errorAt.keys()].filter((field) => fields.has(field)).length + conflicts,
  };
}

function words({ payload, context }: Editing, field: string, formats: Formats): string {
  return valueInWords(field, payload[field], context, formats);
}

function endWords(editing: Editing): string {
  const end = textOf(editing, 'expire');
  return editing.payload['enable_time'] === 1 && end !== '' ? `until ${fullDateText(end)}` : 'no end';
}

function modeWords(editing: Editing, mode: string, counter: string, formats: Formats): string {
  return editing.payload[mode] === 0 ? 'off' : words(editing, counter, formats);
}
