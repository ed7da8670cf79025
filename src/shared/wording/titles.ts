import { type CampaignContext, isStatusCode, type StatusCode } from '../contract/index.ts';
import { type JsonObject, type JsonValue, own } from '../lib/json/json-value.ts';
import { fieldLabel, type FieldEffect } from '../campaign/index.ts';
import { valueWords } from './values.ts';
import { changeInWords, differenceOf } from './changes.ts';
import type { Formats } from '../lib/formats.ts';
import { type OwnWords, ownWords, quotedUpTo, type Sentence, sentence } from '../lib/sentence.ts';

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

/** Budgets that limit the spending; 0 limits nothing. */
const budgets = ['d_revenue', 't_revenue'];

/** Fields that limit the spending; of each, 0 limits nothing. */
const limits = [...budgets, 'enable_budget', 'enable_time'];

/**
 * A full update in one sentence: `Raise the bid of “DE push – summer” from $0.045 to $0.450`. A new status and a limit
 * that falls come first and are never counted away: `Activate “DE push – summer” and change 4 other fields`.
 */
export function updateTitle(
  before: JsonObject,
  changes: readonly FieldEffect[],
  context: CampaignContext,
  formats: Formats,
): Sentence {
  const name = nameOf(before);
  const [first, ...later] = [
    ...changes.filter((change) => newStatusOf(change) !== null),
    ...changes.filter(isLimitLifted),
  ];
  const [only] = changes;
  if (only === undefined) return sentence`Change nothing of ${name}`;
  if (changes.length === 1) return singleTitle(name, only, context, formats);
  if (first === undefined) return sentence`Change ${fieldsInWords(changes, 'fields', formats)} of ${name}`;
  const rest = changes.filter((change) => change !== first && !later.includes(change));
  const parts = [
    singleTitle(name, first, context, formats),
    ...later.map((change) => {
      const { label, after } = changeInWords(change, context, formats);
      return sentence`change the ${inSentence(label)} to ${valueWords(change.field, after)}`;
    }),
    ...(rest.length === 0 ? [] : [sentence`change ${fieldsInWords(rest, 'other fields', formats)}`]),
  ];
  return sentence`${ownWords(enumerated(parts))}`;
}

/** A change of status without its campaigns: `Pause`. */
export function statusVerb(to: StatusCode): Sentence {
  return sentence`${ownWords(statusVerbs[to])}`;
}

/** A change of status in one sentence: `Pause “DE push – summer”`, `Pause 12 campaigns`. */
export function statusTitle(
  { names, to }: { names: readonly string[]; to: StatusCode },
  formats: Formats,
): Sentence {
  const [only] = names;
  const what =
    names.length === 1 && only !== undefined
      ? briefly(only)
      : ownWords(`${formats.count(names.length)} campaigns`);
  return sentence`${ownWords(statusVerbs[to])} ${what}`;
}

function singleTitle(
  name: OwnWords,
  change: FieldEffect,
  context: CampaignContext,
  formats: Formats,
): Sentence {
  const { field, measure } = change;
  const status = newStatusOf(change);
  if (status !== null) return sentence`${ownWords(statusVerbs[status])} ${name}`;
  const what = ownWords(sentence`the ${inSentence(fieldLabel(field))} of ${name}`);
  const difference = differenceOf(measure);
  if (field !== 'name' && difference === null && !isLimitSaid(change)) return sentence`Change ${what}`;
  const { before, after } = changeInWords(change, context, formats);
  if (field === 'name') return sentence`Rename ${name} to ${briefly(after)}`;
  const verb = difference === null ? 'Change' : difference > 0n ? 'Raise' : 'Lower';
  return sentence`${ownWords(verb)} ${what} from ${valueWords(field, before)} to ${valueWords(field, after)}`;
}

function newStatusOf({ field, after }: FieldEffect): StatusCode | null {
  return field === 'status' && isStatusCode(after) ? after : null;
}

function isLimitLifted({ field, after }: FieldEffect): boolean {
  return limits.includes(field) && after === 0;
}

/** True for a limit whose both sides have words of our own: any other text is foreign and would speak for the title. */
function isLimitSaid({ field, before, after }: FieldEffect): boolean {
  const hasOwnWords = (value: JsonValue | undefined): boolean =>
    budgets.includes(field) ? typeof value === 'number' : value === 0 || value === 1;
  return limits.includes(field) && hasOwnWords(before) && hasOwnWords(after);
}

/** `the name, bid and daily budget`, `4 fields`. */
function fieldsInWords(changes: readonly FieldEffect[], many: string, formats: Formats): OwnWords {
  if (changes.length > maxNamed) return ownWords(`${formats.count(changes.length)} ${many}`);
  return ownWords(`the ${enumerated(changes.map(({ field }) => inSentence(fieldLabel(field)).ownWords))}`);
}

function enumerated(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`;
}

/** Labels are sentence case; acronyms keep their capitals. */
function inSentence(label: string): OwnWords {
  return ownWords(/^[A-Z][a-z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label);
}

function nameOf(campaign: JsonObject): OwnWords {
  const name = own(campaign, 'name');
  return typeof name === 'string' ? briefly(name) : ownWords('a campaign without a name');
}

function briefly(name: string): OwnWords {
  return quotedUpTo(name, maxNameLength);
}
