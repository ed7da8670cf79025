import type { Definition } from '#renderer/ui/index.ts';
import { fieldLabel } from '#shared/campaign/index.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import type { Editing } from './editing.ts';

const flightFields = ['enable_time', 'create', 'create_time', 'expire', 'expire_time'];

/** Start and end as one row when they are what the contract says; null when the fields are better shown one by one. */
export function flightRow({ campaign, stored }: Editing): Definition | null {
  const [enabled, ...dates] = flightFields.map((field) => campaign[field]);
  const term = fieldLabel('enable_time');
  if (enabled === 0 && dates.every((date) => date === '')) {
    return { key: 'flight', term, value: stored('enable_time') };
  }
  const [start, startTime, end, endTime] = dates.filter((date) => typeof date === 'string');
  if (enabled !== 1 || !start || !startTime || !end || !endTime) return null;
  return { key: 'flight', term, value: `${start} ${startTime} → ${end} ${endTime}` };
}

/** True for a field that {@link flightRow} speaks for. */
export const isFlightField = (field: string): boolean => flightFields.includes(field);

/** Controls, direction marks and zero-width characters of a text, each once by its name: `U+202E`. */
export function invisibleMarks(text: string): string[] {
  const marks = inertText(text).match(/(?<=⟨)U\+[0-9A-F]{4,6}(?=⟩)/gu) ?? [];
  return [...new Set(marks)];
}

/** The reason if a member may not choose a status for the campaign, or undefined (contract §3). */
export function refusedStatus(from: number, to: number): string | undefined {
  if (from === to) return undefined;
  if (to === 0) return 'Set by the service only';
  if (from === 0 && (to === 1 || to === 4)) return 'needs approval first';
  return undefined;
}
