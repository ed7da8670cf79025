import type { BulkSource } from '#shared/app-api/index.ts';
import { dayNumber, officeWeek, readCountry, targetingDimensions } from '#shared/campaign/index.ts';
import type { StatusCode } from '#shared/contract/index.ts';
import {
  type BulkEdit,
  type PasteSectionId,
  type Member,
  readId,
  readPastedList,
  readText,
  readTypedAmount,
} from '#shared/drafts/index.ts';
import { counted } from '#shared/lib/counted.ts';

type AmountField = Extract<BulkEdit, { kind: 'amount' }>['field'];
type TextField = Extract<BulkEdit, { kind: 'text' }>['fields'][number];

/** Subject of a bulk change. */
export type BulkSubject =
  AmountField | 'text' | 'members' | 'schedule' | 'flight' | 'status' | 'paste' | 'file';

/** The form of a bulk change, as it is typed. Each subject keeps its own fields while another one is looked at. */
export interface BulkForm {
  subject: BulkSubject;
  amount: string;
  floor: string;
  cap: string;
  turnsOn: boolean;
  textFields: readonly TextField[];
  find: string;
  replacement: string;
  isPattern: boolean;
  matchesCase: boolean;
  list: string;
  listChange: 'add' | 'remove' | 'replace' | 'all';
  entries: string;
  limitsAll: boolean;
  hours: readonly number[];
  hoursChange: 'replace' | 'add' | 'remove';
  zone: string;
  flight: 'shift' | 'on' | 'none';
  days: string;
  date: string;
  status: Exclude<StatusCode, 0>;
  source: { cid: number; name: string } | null;
  sections: readonly PasteSectionId[];
}

export const emptyForm: BulkForm = {
  subject: 'payout',
  amount: '',
  floor: '',
  cap: '',
  turnsOn: false,
  textFields: ['clickurl', 'website'],
  find: '',
  replacement: '',
  isPattern: false,
  matchesCase: false,
  list: 'geo',
  listChange: 'add',
  entries: '',
  limitsAll: false,
  hours: officeWeek,
  hoursChange: 'replace',
  zone: '',
  flight: 'shift',
  days: '7',
  date: '',
  status: 3,
  source: null,
  sections: ['targeting'],
};

/** The edit of a form; else what is missing or wrong, by field. `blank` is a form that has not been filled yet: nothing is wrong with it. */
export type ReadForm =
  | { kind: 'edit'; edit: BulkSource }
  | { kind: 'blank' }
  | { kind: 'wrong'; field: keyof BulkForm; message: string };

export function readForm(form: BulkForm): ReadForm {
  switch (form.subject) {
    case 'payout':
    case 'd_revenue':
    case 't_revenue':
      return readAmount(form, form.subject);
    case 'text': {
      const { textFields: fields, find, replacement, isPattern, matchesCase } = form;
      if (fields.length === 0) return wrong('textFields', 'Choose at least one field.');
      if (find === '') return blank;
      return edit({ kind: 'text', fields: [...fields], find, replacement, isPattern, matchesCase });
    }
    case 'members':
      return readMembers(form);
    case 'schedule': {
      const hours = form.hours.flatMap((on, hour) => (on === 1 ? [hour] : []));
      if (hours.length === 0) return wrong('hours', 'Choose at least one hour.');
      const zone = form.zone.trim();
      return edit({ kind: 'schedule', change: form.hoursChange, hours, zone: zone === '' ? null : zone });
    }
    case 'flight':
      return readFlight(form);
    case 'status':
      return edit({ kind: 'status', status: form.status });
    case 'file':
      return edit({ kind: 'file' });
    case 'paste': {
      if (form.source === null) return blank;
      if (form.sections.length === 0) return wrong('sections', 'Choose at least one section.');
      return edit({ kind: 'paste', source: form.source.cid, sections: [...form.sections] });
    }
  }
}

const blank: ReadForm = { kind: 'blank' };

function readAmount(form: BulkForm, field: AmountField): ReadForm {
  if (form.amount.trim() === '') return blank;
  const change = readTypedAmount(form.amount);
  if (change.kind === 'wrong') return wrong('amount', change.message);
  if (change.kind === 'ask')
    return wrong('amount', `This can be read as ${change.readings.join(' or ')}: choose one.`);
  const floor = limitOf(form.floor);
  if (floor === undefined) return wrong('floor', 'Enter an amount, for example 0.045.');
  const cap = limitOf(form.cap);
  if (cap === undefined) return wrong('cap', 'Enter an amount, for example 0.45.');
  const turnsOn = field !== 'payout' && form.turnsOn;
  return edit({ kind: 'amount', field, change: change.operation, floor, cap, turnsOn });
}

/** The readings of an amount that can be read in two ways. */
export function readingsOf(typed: string): number[] {
  const amount = readTypedAmount(typed);
  return amount.kind === 'ask' ? amount.readings : [];
}

/** Null for none, undefined for what is no plain amount. */
function limitOf(typed: string): string | null | undefined {
  if (typed.trim() === '') return null;
  const amount = readTypedAmount(typed);
  if (amount.kind !== 'operation' || amount.operation.kind !== 'set') return undefined;
  const { value } = amount.operation;
  return typeof value === 'number' ? String(value) : undefined;
}

function readMembers({ list, listChange, entries, limitsAll }: BulkForm): ReadForm {
  if (list === '') return blank;
  if (listChange === 'all') return edit({ kind: 'targetAll', list });
  if (entries.trim() === '') return blank;
  const { added: members, notUnderstood } = pastedMembers(list, entries);
  if (notUnderstood.length > 0)
    return wrong(
      'entries',
      `${counted(notUnderstood.length, 'entry is', 'entries are')} not understood: ${notUnderstood.slice(0, 5).join(', ')}`,
    );
  if (members.length > 20_000) return wrong('entries', 'Paste at most 20,000 entries.');
  return edit({ kind: 'members', list, change: listChange, members, limitsAll });
}

/** The members of a pasted text. Countries are read by code or name, exchanges as ids. */
export function pastedMembers(list: string, entries: string): { added: Member[]; notUnderstood: string[] } {
  const read = list === 'geo' ? readCountry : list === 'exchanges' ? readId : readText;
  const hasSpaces = list === 'geo' || targetingDimensions.some((dimension) => dimension.list === list);
  return readPastedList(entries, [], {
    read,
    spaces: list === 'exchanges' || (!hasSpaces && !/keyword|carrier|isp/iu.test(list)),
  });
}

function readFlight({ flight, days, date }: BulkForm): ReadForm {
  if (flight === 'none') return edit({ kind: 'noEnd' });
  if (flight === 'on') {
    if (date === '') return blank;
    return dayNumber(date) === null
      ? wrong('date', 'Enter a date like 2026-12-31.')
      : edit({ kind: 'endOn', date });
  }
  if (days.trim() === '') return blank;
  const count = /^[+-]?\d{1,4}$/u.test(days.trim()) ? Number(days) : 0;
  if (count === 0 || Math.abs(count) > 3_650) return wrong('days', 'Enter days like 7, or -7 for earlier.');
  return edit({ kind: 'shiftEnd', days: count });
}

function edit(made: BulkSource): ReadForm {
  return { kind: 'edit', edit: made };
}

function wrong(field: keyof BulkForm, message: string): ReadForm {
  return { kind: 'wrong', field, message };
}
