import type { BulkSource } from '#shared/app-api/index.ts';
import {
  fieldLabel,
  isTimeZone,
  limits,
  listKindOf,
  minuteOfDay,
  officeWeek,
} from '#shared/campaign/index.ts';
import type { StatusCode } from '#shared/contract/index.ts';
import {
  type AmountField,
  type BulkEdit,
  isCountField,
  type PasteSectionId,
  type PasteAnswers,
  type PastedList,
  readerOf,
  readPastedList,
  readTypedAmount,
  readTypedDate,
  type SetField,
  setKinds,
} from '#shared/drafts/index.ts';
import { codePointLength } from '#shared/lib/inert-text.ts';

type TextField = Extract<BulkEdit, { kind: 'text' }>['fields'][number];

/** A field of the subject `field`: one that can be set, or a count that can be set or calculated. */
export type OtherField = SetField | 'freq_counter' | 'traffic_speed_counter';

export type BulkSubject =
  | 'payout'
  | 'd_revenue'
  | 't_revenue'
  | 'field'
  | 'text'
  | 'members'
  | 'schedule'
  | 'flight'
  | 'status'
  | 'paste'
  | 'file';

/** All values as typed. Each subject keeps its own fields, except amounts, which all subjects share. */
export interface BulkForm {
  subject: BulkSubject;
  amount: string;
  floor: string;
  cap: string;
  turnsOn: boolean;
  field: OtherField;
  /** `1` or `0` for a switch, the code of a type, else the typed text. */
  value: string;
  textFields: readonly TextField[];
  find: string;
  replacement: string;
  isPattern: boolean;
  matchesCase: boolean;
  list: string;
  listChange: 'add' | 'remove' | 'replace' | 'all';
  entries: string;
  answers: PasteAnswers;
  limitsAll: boolean;
  hours: readonly number[];
  hoursChange: 'replace' | 'add' | 'remove';
  zone: string;
  flight: 'end' | 'start' | 'both' | 'none';
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
  field: 'title',
  value: '',
  textFields: ['clickurl', 'website'],
  find: '',
  replacement: '',
  isPattern: false,
  matchesCase: false,
  list: 'geo',
  listChange: 'add',
  entries: '',
  answers: {},
  limitsAll: false,
  hours: officeWeek,
  hoursChange: 'replace',
  zone: '',
  flight: 'end',
  date: '',
  status: 3,
  source: null,
  sections: ['targeting'],
};

/** `blank`: the form is incomplete but has no error. */
export type ReadForm =
  | { kind: 'edit'; edit: BulkSource }
  | { kind: 'blank' }
  | { kind: 'wrong'; field: keyof BulkForm; message: string };

/** `today` is the service's day, YYYY-MM-DD. */
export function readForm(form: BulkForm, today: string): ReadForm {
  switch (form.subject) {
    case 'payout':
    case 'd_revenue':
    case 't_revenue':
      return readAmount(form, form.subject);
    case 'field':
      return form.field === 'freq_counter' || form.field === 'traffic_speed_counter'
        ? readAmount(form, form.field)
        : readSet(form.field, form.value);
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
      const zone = form.hoursChange === 'replace' ? form.zone.trim() : '';
      return edit({ kind: 'schedule', change: form.hoursChange, hours, zone: zone === '' ? null : zone });
    }
    case 'flight':
      return readFlight(form, today);
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
  if (floor !== null && cap !== null && Number(floor) > Number(cap))
    return wrong('cap', 'This is below the floor. Enter a cap of at least as much.');
  if (isCountField(field)) {
    const { operation } = change;
    if (!isWhole(operation.kind === 'set' ? operation.value : 'amount' in operation ? operation.amount : 0))
      return wrong('amount', 'Enter a whole number, or a percentage such as +10%.');
    if (!isWhole(floor ?? 0)) return wrong('floor', 'Enter a whole number.');
    if (!isWhole(cap ?? 0)) return wrong('cap', 'Enter a whole number.');
  }
  const turnsOn = field !== 'payout' && form.turnsOn;
  return edit({ kind: 'amount', field, change: change.operation, floor, cap, turnsOn });
}

function isWhole(value: unknown): boolean {
  return Number.isInteger(Number(value));
}

/** Lengths that the contract limits (§8), in code points. */
export const maxLengths: Readonly<Partial<Record<OtherField, number>>> = {
  name: limits.nameLength,
  title: limits.titleLength,
  description: limits.descriptionLength,
};

function readSet(field: SetField, typed: string): ReadForm {
  const value = typed.trim();
  if (value === '') return blank;
  switch (setKinds[field]) {
    case 'switch':
    case 'type':
      return edit({ kind: 'set', field, value: Number(value) });
    case 'time':
      return minuteOfDay(value) === null
        ? wrong('value', 'Enter a time like 09:30.')
        : edit({ kind: 'set', field, value });
    case 'zone':
      return isTimeZone(value)
        ? edit({ kind: 'set', field, value })
        : wrong('value', 'Enter a time zone like Europe/Berlin or UTC.');
    case 'text': {
      const max = maxLengths[field] ?? maxTyped;
      return codePointLength(value) > max
        ? wrong('value', `${fieldLabel(field)} can have ${max} characters at most.`)
        : edit({ kind: 'set', field, value });
    }
  }
}

/** Must equal the app API's limit for texts without their own limit. */
const maxTyped = 2_000;

export function readingsOf(typed: string): number[] {
  const amount = readTypedAmount(typed);
  return amount.kind === 'ask' ? amount.readings : [];
}

/** `null` for an empty text, `undefined` for text that is no plain amount. */
function limitOf(typed: string): string | null | undefined {
  if (typed.trim() === '') return null;
  const amount = readTypedAmount(typed);
  if (amount.kind !== 'operation' || amount.operation.kind !== 'set') return undefined;
  const { value } = amount.operation;
  return typeof value === 'number' ? String(value) : undefined;
}

function readMembers(form: BulkForm): ReadForm {
  const { list, listChange, entries, limitsAll } = form;
  if (list === '') return blank;
  if (listChange === 'all') return edit({ kind: 'targetAll', list });
  if (entries.trim() === '') return blank;
  const { added: members, skipped, questions } = pastedMembers(form);
  if (members.length === 0 && skipped.length === 0 && questions.length > 0)
    return wrong('entries', 'Answer the question about these entries first.');
  if (skipped.length > 0) return wrong('entries', 'Correct or remove the entries that can’t be used.');
  if (members.length > 20_000) return wrong('entries', 'Paste at most 20,000 entries.');
  return edit({ kind: 'members', list, change: listChange, members, limitsAll });
}

export function pastedMembers({
  list,
  entries,
  answers,
}: Pick<BulkForm, 'list' | 'entries' | 'answers'>): PastedList {
  const form = listKindOf(list).entries;
  const spaces = form === 'ids' || form === 'codes';
  return readPastedList(entries, [], { list, read: readerOf(list), spaces }, answers);
}

function readFlight({ flight, date: typed }: BulkForm, today: string): ReadForm {
  if (flight === 'none') return edit({ kind: 'noEnd' });
  const read = readTypedDate(typed, today);
  switch (read.kind) {
    case 'empty':
      return blank;
    case 'wrong':
      return wrong('date', read.message);
    case 'shift':
      return flight === 'start'
        ? wrong('date', 'Enter a date. To move it by days, choose “Start and end”.')
        : edit({ kind: flight === 'end' ? 'shiftEnd' : 'shiftFlight', days: read.days });
    case 'date':
      return flight === 'both'
        ? wrong('date', 'Enter days or weeks, such as +14d or -1w.')
        : edit({ kind: flight === 'end' ? 'endOn' : 'startOn', date: read.date });
  }
}

function edit(made: BulkSource): ReadForm {
  return { kind: 'edit', edit: made };
}

function wrong(field: keyof BulkForm, message: string): ReadForm {
  return { kind: 'wrong', field, message };
}
