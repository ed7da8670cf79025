import { fieldLabel, type FieldEffect, type PictureKind } from '../campaign/index.ts';
import { type CampaignContext, isStatusCode, type StatusCode } from '../contract/index.ts';
import { assertNever } from '../lib/assert-never.ts';
import { factorText, isFactorExact, percentText } from '../lib/decimal.ts';
import type { Formats } from '../lib/formats.ts';
import { inertStart, quotedStart } from '../lib/inert-text.ts';
import { isJsonObject, type JsonObject, type JsonValue, own } from '../lib/json/json-value.ts';
import { listed, type OwnWords, ownWords, quotedUpTo, type Sentence, sentence } from '../lib/sentence.ts';
import { changeInWords, differenceOf } from './changes.ts';
import type { FieldOperand, TargetedCampaigns } from './effects.ts';
import { valueWords } from './values.ts';

/** The title of every kind of change, for its confirmation, for lists and for the ledger. */
export const titles = {
  /** `Raise the bid of “DE push – summer” from $0.045 to $0.450` */
  update: updateTitle,
  status: statusTitle,
  statusOf: (cids: readonly number[], to: StatusCode, formats: Formats) =>
    sentence`${ownWords(statusVerbs[to])} ${ownWords(cids.length === 1 ? `campaign ${cids[0]}` : formats.counted(cids.length, 'campaign'))}`,
  updateOf: (cid: number) => sentence`Change campaign ${cid}`,
  /** `Lower bids by 10%`, `Raise bids by 10%, rounded to 3 decimals` */
  operand: operandTitle,
  batch: (equally: Sentence, what: { count: number; noun: 'change' | 'campaign' }, formats: Formats) =>
    sentence`${ownWords(equally)}: ${ownWords(formats.counted(what.count, what.noun))}`,
  return(count: number, pausedAt: string, formats: Formats): Sentence {
    const [verb, their] = count === 1 ? ['returns', 'its'] : ['return', 'their'];
    return sentence`${ownWords(formats.counted(count, 'campaign'))} ${ownWords(verb)} to ${ownWords(their)} status of ${ownWords(pausedAt)}`;
  },
  /** A return of a timed pause that has become due. */
  dueReturn: (change: Sentence) => sentence`Return from a pause: ${ownWords(change)}`,
  undo: (change: Sentence) => sentence`To undo: ${ownWords(change)}`,
  admission: (name: string, access: string, profile: { name: string; kind: 'demo' | 'live' }) =>
    sentence`Let ${quotedName(name)} ${ownWords(access)} ${ownWords(inertStart(profile.name, maxNameLength))} (${ownWords(profile.kind === 'live' ? 'LIVE' : 'Demo')})`,
  report: (name: string | undefined, what: string, when: string) =>
    sentence`Schedule a report${ownWords(name === undefined ? '' : ` ${quotedStart(name, maxReportName)}`)}: ${ownWords(what)}. ${ownWords(when)}`,
  cancel: (schedule: OwnWords, task: { what: string; when: string } | null) =>
    sentence`Cancel ${schedule}${ownWords(task === null ? '' : `: ${task.what}. ${task.when}`)}`,
  upload: (kind: PictureKind, fileName: string) =>
    sentence`Upload the ${ownWords(fieldLabel(kind).toLowerCase())} ${fileName}`,
  call(name: string, argCount: number, campaign?: string): Sentence {
    const what = campaign === undefined ? '' : sentence` for ${quotedName(campaign)}`;
    return sentence`Call ${quotedName(name)}${ownWords(what)} with ${argCount} ${ownWords(argCount === 1 ? 'argument' : 'arguments')}`;
  },
  /** A change inferred from a tool's arguments. The tool may do something else. */
  guess: (name: string, change: Sentence) =>
    sentence`Call ${quotedName(name)}: ${ownWords(lowerFirst(change))}`,
  /** Derived from the payload only. Null if the payload does not state its effect. */
  commit: commitTitle,
};

const maxNamed = 3;

/** In code points. Longer than any name that a service stores (contract §8). */
const maxNameLength = 300;
const maxReportName = 80;

const statusVerbs: Record<StatusCode, string> = {
  0: 'Set to pending',
  1: 'Activate',
  2: 'Suspend',
  3: 'Pause',
  4: 'Schedule',
};

const budgetFields = ['d_revenue', 't_revenue'];

/** In these fields, `0` means no limit. */
const limitFields = [...budgetFields, 'enable_budget', 'enable_time'];

/**
 * A new status and a removed limit come first and are always named: `Activate “DE push – summer” and change 4 other
 * fields`.
 */
function updateTitle(
  before: JsonObject,
  changes: readonly FieldEffect[],
  context: CampaignContext,
  formats: Formats,
): Sentence {
  const name = nameOf(before);
  const [first, ...later] = [
    ...changes.filter((change) => newStatusOf(change) !== null),
    ...changes.filter(isLimitRemoved),
  ];
  const [only] = changes;
  if (only === undefined) return sentence`Change nothing of ${name}`;
  if (changes.length === 1) return singleTitle(name, only, context, formats);
  if (first === undefined) return sentence`Change ${fieldsInWords(changes, 'fields', formats)} of ${name}`;
  const otherChanges = changes.filter((change) => change !== first && !later.includes(change));
  const parts = [
    singleTitle(name, first, context, formats),
    ...later.map((change) => {
      const { label, after } = changeInWords(change, context, formats);
      return sentence`change the ${labelInSentence(label)} to ${valueWords(change.field, after)}`;
    }),
    ...(otherChanges.length === 0
      ? []
      : [sentence`change ${fieldsInWords(otherChanges, 'other fields', formats)}`]),
  ];
  return sentence`${ownWords(listed(parts))}`;
}

export function statusVerb(to: StatusCode): Sentence {
  return sentence`${ownWords(statusVerbs[to])}`;
}

function statusTitle(
  {
    names,
    to,
    targeted = 'all',
    until = null,
  }: { names: readonly string[]; to: StatusCode; targeted?: TargetedCampaigns; until?: string | null },
  formats: Formats,
): Sentence {
  const [only] = names;
  const what =
    names.length === 1 && only !== undefined
      ? quotedName(only)
      : ownWords(
          targeted === 'all'
            ? `${formats.count(names.length)} campaigns`
            : formats.counted(names.length, 'running campaign'),
        );
  const end = until === null ? '' : ` until ${until}`;
  return sentence`${ownWords(statusVerbs[to])} ${what}${ownWords(end)}`;
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
  const what = ownWords(sentence`the ${labelInSentence(fieldLabel(field))} of ${name}`);
  const difference = differenceOf(measure);
  if (field !== 'name' && difference === null && !isLimitShown(change)) return sentence`Change ${what}`;
  const { before, after } = changeInWords(change, context, formats);
  if (field === 'name') return sentence`Rename ${name} to ${quotedName(after)}`;
  const verb = difference === null ? 'Change' : difference > 0n ? 'Raise' : 'Lower';
  return sentence`${ownWords(verb)} ${what} from ${valueWords(field, before)} to ${valueWords(field, after)}`;
}

function newStatusOf({ field, after }: FieldEffect): StatusCode | null {
  return field === 'status' && isStatusCode(after) ? after : null;
}

function isLimitRemoved({ field, after }: FieldEffect): boolean {
  return limitFields.includes(field) && after === 0;
}

/** Untrusted values must not become part of the title's own words. */
function isLimitShown({ field, before, after }: FieldEffect): boolean {
  const hasOwnWords = (value: JsonValue | undefined): boolean =>
    budgetFields.includes(field) ? typeof value === 'number' : value === 0 || value === 1;
  return limitFields.includes(field) && hasOwnWords(before) && hasOwnWords(after);
}

function fieldsInWords(changes: readonly FieldEffect[], many: string, formats: Formats): OwnWords {
  if (changes.length > maxNamed) return ownWords(`${formats.count(changes.length)} ${many}`);
  return ownWords(`the ${listed(changes.map(({ field }) => labelInSentence(fieldLabel(field)).ownWords))}`);
}

/** Lowers the first letter of a label, but keeps acronyms such as `URL`, because they are written in capitals. */
function labelInSentence(label: string): OwnWords {
  return ownWords(/^[A-Z][a-z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label);
}

function nameOf(campaign: JsonObject): OwnWords {
  const name = own(campaign, 'name');
  return typeof name === 'string' ? quotedName(name) : ownWords('a campaign without a name');
}

function quotedName(name: string): OwnWords {
  return quotedUpTo(name, maxNameLength);
}

function operandTitle(operands: readonly FieldOperand[], formats: Formats): Sentence {
  const parts = operands.map((operand) => oneOperandTitle(operand, formats));
  return sentence`${ownWords(operandsInWords(parts, formats))}`;
}

function oneOperandTitle(operand: FieldOperand, formats: Formats): Sentence {
  const { field } = operand;
  const one = ownWords(`the ${labelInSentence(fieldLabel(field)).ownWords}`);
  const plural = plurals[field];
  const what = plural === undefined ? one : ownWords(plural);
  switch (operand.by) {
    case 'set':
      if (field === 'status' && isStatusCode(operand.value)) return statusVerb(operand.value);
      return sentence`Set ${one} to ${valueWords(field, operand.text)}`;
    case 'host':
      return sentence`Change the host of ${one} from ${operand.before} to ${operand.after}`;
    case 'add': {
      const micros = BigInt(operand.micros);
      const magnitude = micros < 0n ? -micros : micros;
      const text = operand.unit === 'money' ? formats.money(magnitude) : formats.decimal(magnitude, 0);
      return sentence`${verbOf(micros > 0n)} ${what} by ${ownWords(text)}`;
    }
    case 'ratio':
      return sentence`${verbOf(BigInt(operand.over) > BigInt(operand.under))} ${what} ${ownWords(ratioWords(operand, formats))}`;
    case 'percent': {
      const { tenths, decimals } = operand;
      const precision =
        decimals === 0 ? 'rounded to whole numbers' : `rounded to ${formats.counted(decimals, 'decimal')}`;
      return sentence`${verbOf(tenths > 0)} ${what} by ${Math.abs(tenths) / 10}%, ${ownWords(precision)}`;
    }
    default:
      return assertNever(operand);
  }
}

function verbOf(isRaise: boolean): OwnWords {
  return ownWords(isRaise ? 'Raise' : 'Lower');
}

function ratioWords({ over, under }: Extract<FieldOperand, { by: 'ratio' }>, formats: Formats): string {
  const [from, to] = [Number(under), Number(over)];
  const percent = percentText(from, to);
  if (percent !== null) return `by ${percent}`;
  const factor = factorText(from, to, formats);
  if (factor !== null) return `${isFactorExact(from, to) ? '' : 'about '}${factor}`;
  const tenths = Math.round((Math.abs(to - from) / from) * 1000);
  if (tenths === 0) return 'by less than 0.1%';
  const rise = (BigInt(over) - BigInt(under)) * 1000n;
  const isExact = [rise, -rise].includes(BigInt(tenths) * BigInt(under));
  return `by ${isExact ? '' : 'about '}${tenths / 10}%`;
}

const plurals: Readonly<Record<string, string>> = {
  payout: 'bids',
  d_revenue: 'daily budgets',
  t_revenue: 'total budgets',
};

function operandsInWords(parts: readonly string[], formats: Formats): string {
  const named = parts.slice(0, maxNamed).map((part, index) => (index === 0 ? part : lowerFirst(part)));
  const more = parts.length - named.length;
  const rest = more === 0 ? [] : [formats.counted(more, 'more change')];
  const all = [...named, ...rest];
  return listed(all);
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function commitTitle(payload: JsonObject): Sentence | null {
  return uploadTitle(payload) ?? taskTitle(payload) ?? cancelTitle(payload);
}

const uploadFields: readonly string[] = [
  'kind',
  'fileName',
  'contentType',
  'bytes',
  'width',
  'height',
  'sha256',
];
const uploadKinds: readonly string[] = ['icon', 'image'];

function uploadTitle(payload: JsonObject): Sentence | null {
  const { kind, fileName, contentType, width, height } = payload;
  const isUpload =
    Object.keys(payload).length === uploadFields.length &&
    uploadFields.every((field) => Object.hasOwn(payload, field));
  const isKnown =
    typeof kind === 'string' &&
    uploadKinds.includes(kind) &&
    typeof fileName === 'string' &&
    typeof contentType === 'string' &&
    typeof width === 'number' &&
    typeof height === 'number';
  if (!isUpload || !isKnown) return null;
  return sentence`Upload the ${ownWords(kind)} ${quotedName(fileName)} (${quotedName(contentType)}, ${width} × ${height})`;
}

function taskTitle(payload: JsonObject): Sentence | null {
  const { id, kind, name, schedule } = payload;
  if (typeof id !== 'string' || typeof kind !== 'string' || !isJsonObject(schedule)) return null;
  const namePart = ownWords(typeof name === 'string' ? sentence` ${quotedName(name)}` : '');
  return sentence`Make the scheduled task${namePart} of the kind ${quotedName(kind)}`;
}

function cancelTitle({ taskId, ...rest }: JsonObject): Sentence | null {
  if (typeof taskId !== 'string' || Object.keys(rest).length > 0) return null;
  return sentence`Cancel the scheduled task ${quotedName(taskId)}`;
}
