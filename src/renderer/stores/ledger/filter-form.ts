import { everyRow, type LedgerFilter } from '#shared/app-api/index.ts';
import { serviceDay } from '#shared/campaign/index.ts';
import { isDate } from '#shared/lib/date-text.ts';

export interface FilterForm {
  profileId: string;
  agentId: string;
  about: string;
  cid: string;
  /** First and last day, YYYY-MM-DD, in the zone of the service's days. */
  from: string;
  until: string;
}

export const emptyForm: FilterForm = { profileId: '', agentId: '', about: '', cid: '', from: '', until: '' };

export type FormErrors = Partial<Record<keyof FilterForm, string>>;

/** Parses the form. An invalid field does not filter and is reported in `errors`. */
export function filterOf(form: FilterForm, zone: string): { filter: LedgerFilter; errors: FormErrors } {
  const { profileId, agentId, about } = form;
  const errors = errorsOf(form);
  const dayOf = (field: 'from' | 'until'): string | null =>
    form[field] === '' || errors[field] !== undefined ? null : form[field];
  const from = dayOf('from');
  const until = dayOf('until');
  const cid = errors.cid === undefined && form.cid.trim() !== '' ? Number(form.cid) : null;
  const filter = {
    ...everyRow,
    profileId: profileId === '' ? null : profileId,
    agentId: agentId === '' ? null : agentId,
    about: about === '' ? null : about,
    cid,
    fromMs: from === null ? null : dayStartMs(from, zone),
    untilMs: until === null ? null : dayStartMs(nextDate(until), zone),
  };
  return { filter, errors };
}

function errorsOf({ cid, from, until }: FilterForm): FormErrors {
  const errors: FormErrors = {};
  if (cid.trim() !== '' && !/^[1-9]\d{0,14}$/.test(cid.trim())) errors.cid = 'A campaign ID is a number.';
  if (from !== '' && !isDate(from)) errors.from = 'Write the day as 2026-11-30.';
  if (until !== '' && !isDate(until)) errors.until = 'Write the day as 2026-11-30.';
  else if (until !== '' && errors.from === undefined && until < from)
    errors.until = 'This is before the first day.';
  return errors;
}

export function excludes(filter: LedgerFilter): boolean {
  return Object.values(filter).some((value) => value !== null);
}

/** No zone differs from UTC by more than this, so a wider search finds nothing more. */
const furthestMs = 27 * 60 * 60 * 1000;

/** Correct even if clocks change at midnight or a day is skipped. */
export function dayStartMs(date: string, zone: string): number {
  const utc = Date.parse(`${date}T00:00:00Z`);
  let before = utc - furthestMs;
  let reached = utc + furthestMs;
  while (reached - before > 1) {
    const middle = Math.floor((before + reached) / 2);
    if (serviceDay(middle, zone).date >= date) reached = middle;
    else before = middle;
  }
  return reached;
}

export function nextDate(date: string): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
}
