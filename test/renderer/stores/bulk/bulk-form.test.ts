import { describe, expect, test } from 'vitest';
import {
  type BulkForm,
  emptyForm,
  pastedMembers,
  readForm,
  readingsOf,
} from '#renderer/stores/bulk/bulk-form.ts';
import { namedWeeks } from '#shared/campaign/index.ts';

const read = (change: Partial<BulkForm>) => readForm({ ...emptyForm, ...change }, '2026-11-29');

describe('the form of a bulk change', () => {
  test.each<[what: string, change: Partial<BulkForm>, edit: object]>([
    [
      'a percentage with a floor and a cap',
      { amount: '+10%', floor: '0.04', cap: '0.5' },
      {
        kind: 'amount',
        field: 'payout',
        change: { kind: 'percent', percent: '10' },
        floor: '0.04',
        cap: '0.5',
      },
    ],
    [
      'a budget that switches limits on',
      { subject: 'd_revenue', amount: '1.2k', turnsOn: true },
      { field: 'd_revenue', change: { kind: 'set', value: 1200 }, floor: null, cap: null, turnsOn: true },
    ],
    ['a bid, which switches nothing', { amount: '0.05', turnsOn: true }, { turnsOn: false }],
    [
      'find and replace',
      { subject: 'text', find: 'old', replacement: 'new' },
      { kind: 'text', fields: ['clickurl', 'website'], find: 'old', isPattern: false },
    ],
    [
      'pasted entries',
      { subject: 'members', list: 'publisher_blocklist', entries: '12\n13\n12' },
      { kind: 'members', change: 'add', members: ['12', '13'], limitsAll: false },
    ],
    ['all of a dimension', { subject: 'members', listChange: 'all' }, { kind: 'targetAll', list: 'geo' }],
    [
      'a week in the campaigns’ own zones',
      { subject: 'schedule', zone: ' ' },
      { change: 'replace', zone: null },
    ],
    ['a week in one zone', { subject: 'schedule', zone: ' UTC ' }, { change: 'replace', zone: 'UTC' }],
    [
      'hours on top of others, whose zone stays',
      { subject: 'schedule', hoursChange: 'add', zone: 'UTC' },
      { change: 'add', zone: null },
    ],
    [
      'hours taken from others, whose zone stays',
      { subject: 'schedule', hoursChange: 'remove', zone: 'UTC' },
      { change: 'remove', zone: null },
    ],
    ['an end that moves earlier', { subject: 'flight', date: '-7d' }, { kind: 'shiftEnd', days: -7 }],
    ['an end on a date', { subject: 'flight', date: '31 Dec 2026' }, { kind: 'endOn', date: '2026-12-31' }],
    ['an end on a weekday', { subject: 'flight', date: 'Sun' }, { kind: 'endOn', date: '2026-12-06' }],
    [
      'an end with the month',
      { subject: 'flight', date: 'end of month' },
      { kind: 'endOn', date: '2026-11-30' },
    ],
    [
      'start and end that move together',
      { subject: 'flight', flight: 'both', date: '+1w' },
      { kind: 'shiftFlight', days: 7 },
    ],
    ['a start on a date', { subject: 'flight', flight: 'start', date: '2026-12-05' }, { kind: 'startOn' }],
    [
      'a title',
      { subject: 'field', value: ' Summer sale ' },
      { kind: 'set', field: 'title', value: 'Summer sale' },
    ],
    [
      'a switch',
      { subject: 'field', field: 'enable_budget', value: '0' },
      { kind: 'set', field: 'enable_budget', value: 0 },
    ],
    ['a type', { subject: 'field', field: 'type', value: '12' }, { kind: 'set', value: 12 }],
    ['a time', { subject: 'field', field: 'create_time', value: '09:30' }, { value: '09:30' }],
    ['a zone', { subject: 'field', field: 'shedule_timezone', value: 'Europe/Berlin' }, { kind: 'set' }],
    [
      'a count that rises',
      { subject: 'field', field: 'freq_counter', amount: '+50%', turnsOn: true },
      { kind: 'amount', field: 'freq_counter', change: { kind: 'percent', percent: '50' }, turnsOn: true },
    ],
    ['no end', { subject: 'flight', flight: 'none' }, { kind: 'noEnd' }],
    ['a status', { subject: 'status', status: 4 }, { kind: 'status', status: 4 }],
    [
      'settings of another campaign',
      { subject: 'paste', source: { cid: 7, name: 'Source' } },
      { kind: 'paste', source: 7, sections: ['targeting'] },
    ],
    ['what a file says', { subject: 'file' }, { kind: 'file' }],
  ])('reads %s', (_, change, edit) => {
    expect(read(change)).toMatchObject({ kind: 'edit', edit });
  });

  test.each<[what: string, change: Partial<BulkForm>]>([
    ['without an amount', {}],
    ['without a text to find', { subject: 'text' }],
    ['without entries', { subject: 'members' }],
    ['without a list', { subject: 'members', list: '', entries: 'a' }],
    ['without a value of the field', { subject: 'field' }],
    ['without a first day', { subject: 'flight', flight: 'start' }],
    ['without a last day', { subject: 'flight', date: ' ' }],
    ['without a campaign to copy from', { subject: 'paste' }],
  ])('%s counts as blank, not as an error', (_, change) => {
    expect(read(change)).toEqual({ kind: 'blank' });
  });

  test.each<[what: string, change: Partial<BulkForm>, field: keyof BulkForm, message: string]>([
    ['an amount that is none', { amount: 'ten' }, 'amount', ''],
    ['an amount of two readings', { amount: '1,234' }, 'amount', 'This can be read as'],
    ['a floor that is a percentage', { amount: '+5%', floor: '+1%' }, 'floor', 'Enter an amount'],
    ['a floor above the cap', { amount: '+5%', floor: '0.5', cap: '0.45' }, 'cap', 'This is below the floor'],
    [
      'a title that is too long',
      { subject: 'field', value: 'x'.repeat(26) },
      'value',
      'Title can have 25 characters at most.',
    ],
    [
      'a time that is none',
      { subject: 'field', field: 'expire_time', value: '25:00' },
      'value',
      'Enter a time',
    ],
    [
      'a zone that is none',
      { subject: 'field', field: 'shedule_timezone', value: 'Mars' },
      'value',
      'Enter a time zone',
    ],
    [
      'a count with decimals',
      { subject: 'field', field: 'freq_counter', amount: '1.5' },
      'amount',
      'Enter a whole number',
    ],
    ['a cap that is no amount', { amount: '+5%', cap: 'x' }, 'cap', 'Enter an amount'],
    ['no field to look in', { subject: 'text', textFields: [] }, 'textFields', 'Choose at least one field.'],
    [
      'a country that is none',
      { subject: 'members', entries: 'Atlantis' },
      'entries',
      'Correct or remove the entries that can’t be used.',
    ],
    ['a week without an hour', { subject: 'schedule', hours: [] }, 'hours', 'Choose at least one hour.'],
    ['no days', { subject: 'flight', date: '+0d' }, 'date', 'Move a date by at least one day'],
    ['days in words', { subject: 'flight', date: 'a week' }, 'date', 'Enter a date'],
    ['too many days', { subject: 'flight', date: '+9999d' }, 'date', 'Move a date by at most'],
    [
      'a shift of the start alone',
      { subject: 'flight', flight: 'start', date: '+7d' },
      'date',
      'Enter a date. To move it',
    ],
    [
      'a date for start and end',
      { subject: 'flight', flight: 'both', date: 'Sun' },
      'date',
      'Enter days or weeks',
    ],
    [
      'a date that no calendar has',
      { subject: 'flight', date: '2026-02-30' },
      'date',
      'There is no such day',
    ],
    [
      'no section',
      { subject: 'paste', source: { cid: 7, name: '' }, sections: [] },
      'sections',
      'Choose at least',
    ],
  ])('reports %s at its field', (_, change, field, message) => {
    expect(read(change)).toMatchObject({
      kind: 'wrong',
      field,
      message: expect.stringContaining(message) as string,
    });
  });

  test('keeps the fields of a subject while another subject is selected', () => {
    const typed = { ...emptyForm, amount: '+10%' };
    expect(readForm({ ...typed, subject: 'status' }, '2026-11-29')).toMatchObject({
      edit: { kind: 'status' },
    });
    expect(readForm({ ...typed, subject: 'payout' }, '2026-11-29')).toMatchObject({
      edit: { kind: 'amount' },
    });
  });

  test('offers both readings of an ambiguous amount', () => {
    expect(readingsOf('1,234')).toHaveLength(2);
    expect(readingsOf('1234')).toEqual([]);
  });

  test('begins with the named week of office hours', () => {
    const hours = namedWeeks.map(({ name, hours: week }) => [name, week.filter((hour) => hour === 1).length]);
    expect(hours).toEqual([
      ['All hours', 168],
      ['Weekdays 8–20', 60],
      ['Nights 22–6', 56],
      ['Weekend', 48],
    ]);
    expect(namedWeeks.find(({ name }) => name === 'Weekdays 8–20')?.hours).toEqual(emptyForm.hours);
  });
});

test('pasted entries are split as their list requires: countries by name, ids by spaces, keywords as phrases', () => {
  const added = (list: string, entries: string): unknown =>
    pastedMembers({ list, entries, answers: {} }).added;
  expect(added('geo', 'Brazil\nDE')).toEqual(['BR', 'DE']);
  expect(added('exchanges', '3 17')).toEqual([3, 17]);
  expect(added('publisher_blocklist', '12 13')).toEqual(['12', '13']);
  expect(added('keywords_blocklist', 'free money\ncasino')).toEqual(['free money', 'casino']);
});
