import { fieldLabel, valueInWords } from '#shared/campaign/index.ts';
import { inertText, quoted } from '#shared/lib/inert-text.ts';
import type { ChosenChange } from './choose-change.ts';
import type { Style } from './style.ts';

const shownFields = ['type', 'status', 'payout', 'd_revenue', 't_revenue', 'geo'] as const;

/** The campaign in a few lines, in the words of the app. */
export function campaignText({ cid, detail }: ChosenChange, style: Style): string[] {
  const { edit } = detail;
  const context = { types: edit.campaign_types, settings: edit.settings };
  const rows = shownFields.map((field): [string, string] => [
    fieldLabel(field),
    inertText(valueInWords(field, edit.campaign[field], context)),
  ]);
  const width = Math.max(...rows.map(([label]) => label.length));
  const name = quoted(valueInWords('name', edit.campaign['name'], context));
  return [
    `${style.strong(name)} · campaign ${cid}`,
    ...rows.map(([label, value]) => `  ${label.padEnd(width)}  ${value}`),
  ];
}
