import type { StatusCode } from '../../contract/index.ts';
import { quotedStart } from '../../lib/inert-text.ts';
import { type JsonObject, own } from '../../lib/json/json-value.ts';
import { countText } from '../../lib/number-text.ts';
import type { ChangeView } from '../types.ts';

const maxNamed = 3;

/** So much of a name stands in a title, in code points: more than a service may store (contract §8). */
const maxNameLength = 300;

/** The verb for setting a status. */
const statusVerbs: Record<StatusCode, string> = {
  0: 'Set to pending',
  1: 'Activate',
  2: 'Suspend',
  3: 'Pause',
  4: 'Schedule',
};

const verbsByStatusName: Readonly<Record<string, string>> = {
  Pending: statusVerbs[0],
  Active: statusVerbs[1],
  Suspended: statusVerbs[2],
  Paused: statusVerbs[3],
  Scheduled: statusVerbs[4],
};

/** Fields that limit the spending. */
const limits = ['d_revenue', 't_revenue', 'enable_budget', 'enable_time'];

/** The text of such a field when it limits nothing. */
const limitless = ['Unlimited', 'Off (unlimited)', 'Off (no end)'];

/** Values of our own words; any other text is foreign and would speak for the title. */
const ownWords = /^(?:−?\$[\d,.\u202F]+|Unlimited|On|Off(?: \([a-z ]+\))?)$/;

/**
 * A full update in one sentence: `Raise the bid of “DE push – summer” from $0.045 to $0.450`. A new status and a limit
 * that falls come first and are never counted away: `Activate “DE push – summer” and change 4 other fields`.
 */
export function updateTitle(before: JsonObject, changes: readonly ChangeView[]): string {
  const name = nameOf(before);
  const [first, ...later] = [...changes.filter(isStatusChange), ...changes.filter(isLimitLifted)];
  const [only] = changes;
  if (only === undefined) return `Change nothing of ${name}`;
  if (changes.length === 1) return singleTitle(name, only);
  if (first === undefined) return `Change ${fieldsInWords(changes, 'fields')} of ${name}`;
  const rest = changes.filter((change) => change !== first && !later.includes(change));
  return enumerated([
    singleTitle(name, first),
    ...later.map(({ label, after }) => `change the ${inSentence(label)} to ${after}`),
    ...(rest.length === 0 ? [] : [`change ${fieldsInWords(rest, 'other fields')}`]),
  ]);
}

/** A change of status without its campaigns: `Pause`. */
export function statusVerb(to: StatusCode): string {
  return statusVerbs[to];
}

/** A change of status in one sentence: `Pause “DE push – summer”`, `Pause 12 campaigns`. */
export function statusTitle({ names, to }: { names: readonly string[]; to: StatusCode }): string {
  const [only] = names;
  const what =
    names.length === 1 && only !== undefined ? briefly(only) : `${countText(names.length)} campaigns`;
  return `${statusVerbs[to]} ${what}`;
}

function singleTitle(name: string, change: ChangeView): string {
  const { field, label, before, after, delta } = change;
  if (field === 'name') return `Rename ${name} to ${briefly(after)}`;
  if (isStatusChange(change)) return `${verbsByStatusName[after] ?? ''} ${name}`;
  const what = `the ${inSentence(label)} of ${name}`;
  const isList = change.added.length > 0 || change.removed.length > 0 || change.schedule !== null;
  if (delta === null || isList) {
    const isSaid = limits.includes(field) && ownWords.test(before) && ownWords.test(after);
    return isSaid ? `Change ${what} from ${before} to ${after}` : `Change ${what}`;
  }
  return `${delta.startsWith('+') ? 'Raise' : 'Lower'} ${what} from ${before} to ${after}`;
}

function isStatusChange({ field, after }: ChangeView): boolean {
  return field === 'status' && Object.hasOwn(verbsByStatusName, after);
}

function isLimitLifted({ field, after }: ChangeView): boolean {
  return limits.includes(field) && limitless.includes(after);
}

/** `the name, bid and daily budget`, `4 fields`. */
function fieldsInWords(changes: readonly ChangeView[], many: string): string {
  if (changes.length > maxNamed) return `${countText(changes.length)} ${many}`;
  return `the ${enumerated(changes.map(({ label }) => inSentence(label)))}`;
}

function enumerated(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`;
}

/** Labels are sentence case; acronyms keep their capitals. */
function inSentence(label: string): string {
  return /^[A-Z][a-z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label;
}

function nameOf(campaign: JsonObject): string {
  const name = own(campaign, 'name');
  return typeof name === 'string' ? briefly(name) : 'a campaign without a name';
}

function briefly(name: string): string {
  return quotedStart(name, maxNameLength);
}
