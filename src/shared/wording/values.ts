import { isStatusCode, statusNames } from '../contract/index.ts';
import { fullDateText } from '../lib/date-text.ts';
import { toMicros } from '../lib/decimal.ts';
import { inertText, quotedStart } from '../lib/inert-text.ts';
import { canonicalJson } from '../lib/json/canonical.ts';
import { isJsonObject, type JsonValue } from '../lib/json/json-value.ts';
import {
  typeWithCode,
  decodeSchedule,
  hoursOn,
  hoursPerWeek,
  dimensionOfFlag,
  dimensionOfList,
} from '../campaign/index.ts';
import type { Formats } from '../lib/formats.ts';
import { type OwnWords, ownWords } from '../lib/sentence.ts';

export interface WordsContext {
  types: Readonly<Record<string, { name: string }>>;
}

type Words = (value: JsonValue, context: WordsContext, formats: Formats) => string;

const switchWords: Words = (value) => (value === 1 ? 'On' : value === 0 ? 'Off' : unexpectedWords(value));
const modeWords: Words = (value) =>
  value === 0 ? 'Off' : value === 1 ? 'On' : `Mode ${unexpectedWords(value)}`;
const dateWords: Words = (value) =>
  typeof value === 'string' && value !== '' ? inertText(fullDateText(value)) : plainWords(value);
const countWords: Words = (value, _context, formats) =>
  typeof value === 'number' ? formats.count(value) : unexpectedWords(value);

const wordsByField: ReadonlyMap<string, Words> = new Map<string, Words>([
  ['type', typeWords],
  ['status', (value) => (isStatusCode(value) ? statusNames[value] : unexpectedWords(value))],
  [
    'payout',
    (value, _context, formats) =>
      isFiniteNumber(value) ? formats.bid(toMicros(value)) : unexpectedWords(value),
  ],
  ['d_revenue', budgetWords],
  ['t_revenue', budgetWords],
  [
    'enable_budget',
    (value, context, formats) => (value === 0 ? 'Off (unlimited)' : switchWords(value, context, formats)),
  ],
  [
    'enable_time',
    (value, context, formats) => (value === 0 ? 'Off (no end)' : switchWords(value, context, formats)),
  ],
  ['create', dateWords],
  ['expire', dateWords],
  [
    'enable_shedule',
    (value, context, formats) => (value === 0 ? 'Off (all hours)' : switchWords(value, context, formats)),
  ],
  ['shedule', scheduleWords],
  ['keywords_enabled', switchWords],
  ['freq_cap', modeWords],
  ['traffic_speed', modeWords],
  ['freq_counter', countWords],
  ['traffic_speed_counter', countWords],
]);

const untrustedFields: readonly string[] = ['type', 'create', 'expire'];

/** Quotes a value in a sentence, unless the text is an amount, a count or in this program's own words. */
export function valueWords(field: string, inWords: string): OwnWords | string {
  return wordsByField.has(field) && !untrustedFields.includes(field) ? ownWords(inWords) : inWords;
}

/** `$50.00`, `Unlimited`, `All countries`, `1 of 168 hours`. Untrusted text is made inert and never used as markup. */
export function valueInWords(
  field: string,
  value: JsonValue | undefined,
  context: WordsContext,
  formats: Formats,
): string {
  if (value === undefined) return 'absent';
  const special = wordsByField.get(field);
  if (special !== undefined) return special(value, context, formats);
  const flag = dimensionOfFlag(field);
  if (flag !== undefined) return selectionInWords(field, value, undefined, formats);
  if (!Array.isArray(value)) return plainWords(value);
  if (value.length === 0) return 'none';
  return dimensionOfList(field) === undefined ? entriesWords(value, formats) : namedEntries(value, formats);
}

/** `All countries`, `3 countries (DE, FR, IT)`, `Selected countries` */
export function selectionInWords(
  flag: string,
  value: JsonValue | undefined,
  list: JsonValue | undefined,
  formats: Formats,
): string {
  const dimension = dimensionOfFlag(flag);
  if (value === undefined) return 'absent';
  if (dimension === undefined) return plainWords(value);
  if (value === 1) return `All ${dimension.many}`;
  if (value !== 0) return plainWords(value);
  if (!Array.isArray(list)) return `Selected ${dimension.many}`;
  if (list.length === 0) return `No ${dimension.many}`;
  return `${formats.counted(list.length, dimension.one, dimension.many)} (${namedEntries(list, formats)})`;
}

function entriesWords(value: JsonValue[], formats: Formats): string {
  return `${formats.counted(value.length, 'entry', 'entries')} (${namedEntries(value, formats)})`;
}

function typeWords(value: JsonValue, { types }: WordsContext): string {
  const name = typeof value === 'number' ? typeWithCode(types, value)?.name : undefined;
  return name === undefined ? `Unknown type ${plainWords(value)}` : inertText(name);
}

function scheduleWords(value: JsonValue, _context: WordsContext, formats: Formats): string {
  const week = decodeSchedule(value);
  if (week === null) return `A schedule of unknown shape: ${unexpectedWords(value)}`;
  const on = hoursOn(week);
  return on === hoursPerWeek ? 'All 168 hours' : `${formats.count(on)} of 168 hours`;
}

/** A budget of 0 is unlimited (contract §2.4, for the total budget). */
function budgetWords(value: JsonValue, _context: WordsContext, formats: Formats): string {
  if (value === 0) return 'Unlimited';
  return isFiniteNumber(value) ? formats.money(toMicros(value)) : unexpectedWords(value);
}

function isFiniteNumber(value: JsonValue): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

const maxOddLength = 300;

/** Quotes a text, so that nobody takes it for a number. */
function unexpectedWords(value: JsonValue): string {
  const plain = plainWords(value);
  return typeof value === 'number' || typeof value === 'boolean' || value === null || value === ''
    ? plain
    : quotedStart(plain, maxOddLength);
}

export const maxNamed = 12;

/** Formats a value on one inert line. An object becomes its `url` or canonical JSON. */
export function plainWords(value: JsonValue): string {
  if (value === null) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return value === '' ? 'empty' : inertText(value);
  if (isJsonObject(value) && typeof value['url'] === 'string') return inertText(value['url']);
  return inertText(canonicalJson(value));
}

/**
 * The canonical, inert form, for differences that {@link plainWords} hides. A text that imitates a visible escape is
 * escaped.
 */
export function exactWords(value: JsonValue | undefined): string {
  return value === undefined ? 'absent' : inertText(canonicalJson(value).replaceAll('⟨', String.raw`\u27e8`));
}

function namedEntries(values: readonly JsonValue[], formats: Formats): string {
  const named = values.slice(0, maxNamed).map(plainWords).join(', ');
  const rest = values.length - maxNamed;
  return rest > 0 ? `${named} and ${formats.count(rest)} more` : named;
}
