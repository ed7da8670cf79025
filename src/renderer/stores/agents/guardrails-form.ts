import type { Guardrails, ProfileView } from '#shared/app-api/index.ts';
import { toMicros, typedText } from '#shared/lib/decimal.ts';
import { withoutSpaces, type Formats } from '#shared/lib/formats.ts';
import { listed } from '#shared/lib/sentence.ts';

export const fieldsOf = {
  bidFactor: ['bidFactor'],
  raise: ['raise'],
  raiseUntilEnd: ['raiseUntilEnd'],
  campaigns: ['campaigns'],
  pace: ['paceChanges', 'paceMinutes'],
  spendPace: ['spendAmount', 'spendHours'],
  quiet: ['quietFrom', 'quietUntil'],
} as const;

export type Rule = keyof typeof fieldsOf;

export type GuardrailField = (typeof fieldsOf)[Rule][number];

export interface GuardrailsForm {
  on: Record<Rule, boolean>;
  typed: Record<GuardrailField, string>;
  /** In the order in which they were chosen. */
  untouchable: readonly number[];
}

/** Errors by field. The error of the protected campaigns is under `untouchable`. */
export type GuardrailErrors = Record<string, string>;

type ReadForm = { kind: 'guardrails'; guardrails: Guardrails } | { kind: 'wrong'; errors: GuardrailErrors };

const defaults: Record<GuardrailField, string> = {
  bidFactor: '2',
  raise: '500.00',
  raiseUntilEnd: '10000.00',
  campaigns: '10',
  paceChanges: '20',
  paceMinutes: '60',
  spendAmount: '1000.00',
  spendHours: '24',
  quietFrom: '22',
  quietUntil: '7',
};

const rules = Object.keys(fieldsOf) as Rule[];

const amountText = (micros: string): string => typedText(BigInt(micros), 2);

export function formOf(guardrails: Guardrails): GuardrailsForm {
  const { maxBidFactor, maxRaisePerDayMicros, maxRaiseUntilEndMicros, maxCampaigns } = guardrails;
  const { pace, spendPace, quietHours } = guardrails;
  const stored: Partial<Record<GuardrailField, string>> = {
    ...(maxBidFactor !== null && { bidFactor: String(maxBidFactor) }),
    ...(maxRaisePerDayMicros !== null && { raise: amountText(maxRaisePerDayMicros) }),
    ...(maxRaiseUntilEndMicros !== null && { raiseUntilEnd: amountText(maxRaiseUntilEndMicros) }),
    ...(maxCampaigns !== null && { campaigns: String(maxCampaigns) }),
    ...(pace && { paceChanges: String(pace.changes), paceMinutes: String(pace.minutes) }),
    ...(spendPace && { spendAmount: amountText(spendPace.micros), spendHours: String(spendPace.hours) }),
    ...(quietHours && { quietFrom: String(quietHours.fromHour), quietUntil: String(quietHours.untilHour) }),
  };
  return {
    on: Object.fromEntries(rules.map((rule) => [rule, fieldsOf[rule][0] in stored])) as GuardrailsForm['on'],
    typed: { ...defaults, ...stored },
    untouchable: guardrails.untouchable,
  };
}

/** Rebases the form on newer stored guardrails: edited limits stay, all others come from `stored`. */
export function rebasedForm(form: GuardrailsForm, base: Guardrails, stored: Guardrails): GuardrailsForm {
  const [was, now] = [formOf(base), formOf(stored)];
  for (const rule of rules) {
    const fields: readonly GuardrailField[] = fieldsOf[rule];
    const isEdited =
      form.on[rule] !== was.on[rule] || fields.some((field) => form.typed[field] !== was.typed[field]);
    if (!isEdited) continue;
    now.on[rule] = form.on[rule];
    for (const field of fields) now.typed[field] = form.typed[field];
  }
  const removed = was.untouchable.filter((cid) => !form.untouchable.includes(cid));
  const left = now.untouchable.filter((cid) => !removed.includes(cid));
  const added = form.untouchable.filter((cid) => !was.untouchable.includes(cid));
  return { ...now, untouchable: [...new Set([...left, ...added])] };
}

/** Parses the form and reports every invalid field at once. Ignores limits that are off. */
export function readForm({ on, typed, untouchable }: GuardrailsForm): ReadForm {
  const errors: GuardrailErrors = {};
  const whole = (field: GuardrailField, min: number, max: number): number => {
    const text = typed[field].trim();
    const value = /^\d{1,9}$/u.test(text) ? Number(text) : Number.NaN;
    if (!(value >= min && value <= max)) errors[field] = `Enter a whole number from ${min} to ${max}.`;
    return value;
  };
  const amount = (field: GuardrailField): string => {
    const parsed = parseDecimal(typed[field]);
    if (parsed.kind === 'number') return String(toMicros(parsed.value));
    errors[field] = parsed.message;
    return '';
  };
  const factor = (): number => {
    const parsed = parseDecimal(typed.bidFactor);
    if (parsed.kind === 'number' && parsed.value >= 1 && parsed.value <= 1000) return parsed.value;
    errors['bidFactor'] = 'Enter a factor from 1 to 1000, for example 2 or 1.5.';
    return 1;
  };
  const guardrails: Guardrails = {
    maxBidFactor: on.bidFactor ? factor() : null,
    maxRaisePerDayMicros: on.raise ? amount('raise') : null,
    maxRaiseUntilEndMicros: on.raiseUntilEnd ? amount('raiseUntilEnd') : null,
    maxCampaigns: on.campaigns ? whole('campaigns', 1, 1000) : null,
    pace: on.pace ? { changes: whole('paceChanges', 1, 1000), minutes: whole('paceMinutes', 1, 1440) } : null,
    spendPace: on.spendPace ? { micros: amount('spendAmount'), hours: whole('spendHours', 1, 168) } : null,
    quietHours: on.quiet
      ? { fromHour: whole('quietFrom', 0, 23), untilHour: whole('quietUntil', 0, 23) }
      : null,
    untouchable: [...untouchable],
  };
  if (untouchable.length > maxUntouchable) errors['untouchable'] = 'Pick at most 1,000 campaigns.';
  const { quietHours } = guardrails;
  if (quietHours !== null && quietHours.fromHour === quietHours.untilHour) {
    errors['quietUntil'] ??= 'Both hours are the same. Switch it off, or choose another hour.';
  }
  return Object.keys(errors).length === 0 ? { kind: 'guardrails', guardrails } : { kind: 'wrong', errors };
}

const maxUntouchable = 1000;

type ReadCids = { kind: 'cids'; cids: number[] } | { kind: 'wrong'; message: string };

/** Reads campaign ids separated by whitespace, commas or semicolons. Drops duplicates. */
export function readCids(text: string): ReadCids {
  const words = text.split(/[\s,;]+/u).filter((word) => word !== '');
  const wrong = words.find((word) => !/^[1-9]\d{0,14}$/u.test(word));
  if (wrong !== undefined)
    return {
      kind: 'wrong',
      message: `“${wrong}” isn’t a campaign ID. Use digits, with spaces between IDs.`,
    };
  return { kind: 'cids', cids: [...new Set(words.map(Number))] };
}

type ParsedDecimal = { kind: 'number'; value: number } | { kind: 'wrong'; message: string };

const plain = /^\d+(?:\.(\d+))?$/u;
const maxDigits = 15;
const maxDecimals = 6;

/** Reads a plain decimal such as `0.045` or `1 250.50`. Refuses ambiguous text and never rounds. */
export function parseDecimal(typed: string): ParsedDecimal {
  const text = withoutSpaces(typed.trim());
  const wrong = (message: string): ParsedDecimal => ({ kind: 'wrong', message });
  if (text === '') return wrong('Enter an amount, for example 0.045.');
  if (text.includes(',')) return wrong('Write the decimals after a point, without thousands marks: 1250.50');
  if (text.startsWith('-') || text.startsWith('−')) return wrong('The amount cannot be negative.');
  const match = plain.exec(text);
  if (!match) return wrong('Enter digits and at most one point, for example 0.045.');
  if ((match[1]?.length ?? 0) > maxDecimals) return wrong('Use at most 6 decimals.');
  if (text.replace(/^0+|\D/gu, '').length > maxDigits) return wrong('The amount has too many digits.');
  return { kind: 'number', value: Number(text) };
}

const money = (micros: string, formats: Formats): string => formats.money(BigInt(micros));
const hour = (of: number): string => `${String(of).padStart(2, '0')}:00`;
const some = (count: number, one: string, many: string): string => (count === 1 ? one : `${count} ${many}`);

/** For example `raise a bid to 2 times the current one`. */
function mainLimits(
  { maxBidFactor, maxRaisePerDayMicros, maxCampaigns }: Guardrails,
  formats: Formats,
): string[] {
  return [
    ...(maxBidFactor === null ? [] : [`raise a bid to ${maxBidFactor} times the current one`]),
    ...(maxRaisePerDayMicros === null ? [] : [`add ${money(maxRaisePerDayMicros, formats)} a day`]),
    ...(maxCampaigns === null ? [] : [`touch ${formats.counted(maxCampaigns, 'campaign')}`]),
  ];
}

export function limitsSentence(guardrails: Guardrails, kind: ProfileView['kind'], formats: Formats): string {
  const main = mainLimits(guardrails, formats);
  const others = guardrailSentences(withoutMain(guardrails), formats).length;
  if (main.length + others === 0) {
    return kind === 'demo'
      ? 'No limits, so you see the sample agent’s worst changes.'
      : 'No limits: every change that an agent proposes reaches you.';
  }
  if (main.length === 0) return `${formats.counted(others, 'limit applies', 'limits apply')} to agents.`;
  const more = others === 0 ? '' : ` ${formats.counted(others, 'more limit applies', 'more limits apply')}.`;
  return `One change of an agent may ${listed(main)} at most.${more}`;
}

/** The guardrails without those that {@link limitsSentence} describes. */
export function withoutMain(guardrails: Guardrails): Guardrails {
  return { ...guardrails, maxBidFactor: null, maxRaisePerDayMicros: null, maxCampaigns: null };
}

export function guardrailSentences(guardrails: Guardrails, formats: Formats): string[] {
  const { maxBidFactor, maxRaisePerDayMicros, maxRaiseUntilEndMicros, maxCampaigns } = guardrails;
  const { pace, spendPace, quietHours, untouchable } = guardrails;
  const sentences: string[] = [];
  if (maxBidFactor !== null)
    sentences.push(`One change may raise a bid to ${maxBidFactor} times the current one at most.`);
  if (maxRaisePerDayMicros !== null) {
    sentences.push(
      `One change may raise the money at risk per day by ${money(maxRaisePerDayMicros, formats)} at most.`,
    );
  }
  if (maxRaiseUntilEndMicros !== null) {
    const max = money(maxRaiseUntilEndMicros, formats);
    sentences.push(`One change may raise the money at risk until the end by ${max} at most.`);
  }
  if (maxCampaigns !== null) {
    sentences.push(`One change may touch ${formats.counted(maxCampaigns, 'campaign')} at most.`);
  }
  if (pace !== null) {
    sentences.push(
      `One agent may propose ${some(pace.changes, 'one change', 'changes')} in ${some(pace.minutes, 'one minute', 'minutes')} at most.`,
    );
  }
  if (spendPace !== null) {
    sentences.push(
      `The changes of one agent may raise the money at risk per day by ${money(spendPace.micros, formats)} in ${some(spendPace.hours, 'one hour', 'hours')} at most.`,
    );
  }
  if (quietHours !== null) {
    sentences.push(
      `From ${hour(quietHours.fromHour)} to ${hour(quietHours.untilHour)} agents may propose nothing, in the profile’s time zone.`,
    );
  }
  if (untouchable.length > 0) {
    sentences.push(
      `${formats.counted(untouchable.length, 'campaign is', 'campaigns are')} protected from every agent.`,
    );
  }
  return sentences;
}
