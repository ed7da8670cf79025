import type { CampaignRead } from '#core/service-client/index.ts';
import type { CheckedCampaign } from '#shared/app-api/index.ts';
import {
  changeInWords,
  appendDay,
  fieldWarnings,
  perDayWords,
  valueInWords,
  valuesInWords,
  valueWords,
} from '#shared/wording/index.ts';
import {
  type Clocks,
  diffCampaigns,
  exposureOf,
  exposureTexts,
  type FieldEffect,
  serviceDay,
  type ServiceMoment,
  fieldWords,
  runningHours,
  runs,
} from '#shared/campaign/index.ts';
import { type CampaignContext, leastActivationMicros } from '#shared/contract/index.ts';
import {
  type AppliedNote,
  type CampaignDraft,
  type CheckedDraft,
  checkDraft,
  type CheckedField,
} from '#shared/drafts/index.ts';
import { AppError, type FieldError } from '#shared/errors/index.ts';
import { jsonEqual, type JsonObject } from '#shared/lib/json/json-value.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { joinSentences, sentence, type Sentence } from '#shared/lib/sentence.ts';

/** The complete campaign to propose. Fails with the reason why nothing can be proposed. */
export function payloadOf(read: CampaignRead, checked: CheckedDraft, formats: Formats): JsonObject {
  if (checked.isReady) return checked.payload;
  const { fields, otherErrors } = checked;
  const errors = fields.flatMap(({ field, state, message }): FieldError[] =>
    state === 'error' && message !== null ? [{ field, code: 'draft_error', message }] : [],
  );
  errors.push(...otherErrors);
  if (errors.length > 0) throw new AppError('validation_failed', { fields: errors });
  const conflicts = fields.filter(({ state }) => state === 'conflict');
  if (conflicts.length === 0) throw new AppError('nothing_to_change', { message: 'It has this already.' });
  const context = contextOf(read);
  throw new AppError('edit_conflict', {
    message: joinSentences(conflicts.map((field) => conflictInWords(field, context, formats))),
  });
}

function conflictInWords(
  { field, original, theirs }: CheckedField,
  context: CampaignContext,
  formats: Formats,
): Sentence {
  const words = valuesInWords(field, { before: original, after: theirs }, context, formats);
  return sentence`${fieldWords(field)} was ${valueWords(field, words.before)} when you drafted it, and is ${valueWords(field, words.after)} now.`;
}

interface CheckRequest {
  cid: number;
  read: CampaignRead;
  draft: CampaignDraft;
  clocks: Clocks;
  balanceOf: BalanceOf;
}

export function checkCampaign(
  { cid, read, draft, clocks, balanceOf }: CheckRequest,
  formats: Formats,
): CheckedCampaign {
  const checked = checkDraft(read.edit, draft, formats);
  const { payload } = checked;
  const { campaign } = read.edit;
  const hasError = checked.otherErrors.length > 0 || checked.fields.some(({ state }) => state === 'error');
  const changes = diffCampaigns(campaign, payload);
  const today = serviceDay(clocks.nowMs, clocks.serviceZone);
  const risk = hasError ? null : riskOf(read, { after: payload, changes, today }, formats);
  const isComplete = checked.fields.every(({ mine }) => mine !== undefined) && !jsonEqual(payload, campaign);
  const forecast = isComplete && !hasError ? forecastOf(campaign, payload, { clocks, balanceOf }) : null;
  const problems: CheckedCampaign['problems'] = [
    ...checked.otherErrors.map(({ field, message }) => ({ field, severity: 'error' as const, message })),
    ...(risk?.warnings ?? []),
  ];
  if (forecast?.balance === 'too_low') {
    const message =
      'The account has less than $1.00 available. The service refuses to activate the campaign.';
    problems.push({ field: 'status', severity: 'warning', message });
  }
  const warned = new Set(risk?.warnings.map(({ field }) => field));
  const { name } = campaign;
  return {
    cid,
    name: typeof name === 'string' ? name : '',
    state: stateOf(checked, { hasError, hasWarning: problems.length > 0 }),
    fields: fieldsInWords(read, { fields: checked.fields, changes, warned }, formats),
    problems,
    perDay: risk?.perDay ?? null,
    forecast,
  };
}

function stateOf(
  { fields }: CheckedDraft,
  { hasError, hasWarning }: { hasError: boolean; hasWarning: boolean },
): CheckedCampaign['state'] {
  if (hasError) return 'error';
  if (fields.some(({ state }) => state === 'conflict')) return 'conflict';
  if (fields.every(({ state }) => state === 'same')) return 'same';
  return hasWarning ? 'warning' : 'ready';
}

function contextOf({ edit }: CampaignRead): CampaignContext {
  return { types: edit.campaign_types, settings: edit.settings };
}

interface RiskInWords {
  warnings: CheckedCampaign['problems'];
  perDay: NonNullable<CheckedCampaign['perDay']>;
}

function riskOf(
  read: CampaignRead,
  { after, changes, today }: { after: JsonObject; changes: readonly FieldEffect[]; today: ServiceMoment },
  formats: Formats,
): RiskInWords {
  const before = read.edit.campaign;
  const [exposureBefore, exposureAfter] = [exposureOf(before, today), exposureOf(after, today)];
  const warnings = fieldWarnings(
    {
      before,
      after,
      changes,
      context: contextOf(read),
      today,
      exposureBefore,
      exposureAfter,
      stoppedAs: [],
    },
    formats,
  );
  const pair = {
    before: exposureTexts(exposureBefore, formats).perDay,
    after: exposureTexts(exposureAfter, formats).perDay,
  };
  const words = perDayWords(pair, Number(today.date.slice(0, 4)));
  return {
    warnings: warnings.flatMap(({ severity, text, field }) =>
      severity === 'notice' ? [] : [{ field, severity, message: text }],
    ),
    perDay: {
      before: appendDay(pair.before.text, words.before),
      after: appendDay(pair.after.text, words.after),
    },
  };
}

function fieldsInWords(
  read: CampaignRead,
  {
    fields,
    changes,
    warned,
  }: Pick<CheckedDraft, 'fields'> & {
    changes: readonly FieldEffect[];
    warned: ReadonlySet<string | null>;
  },
  formats: Formats,
): CheckedCampaign['fields'] {
  const context = contextOf(read);
  const changeOf = new Map(changes.map((change) => [change.field, change]));
  return fields.map(({ theirs, mine, ...field }) => {
    const change = changeOf.get(field.field);
    const sides = change === undefined ? null : changeInWords(change, context, formats);
    const now = sides?.before ?? valueInWords(field.field, theirs, context, formats);
    return {
      ...field,
      state: field.state === 'changed' && warned.has(field.field) ? 'warning' : field.state,
      ...(theirs !== undefined && { theirs }),
      ...(mine !== undefined && { mine }),
      words: {
        original:
          field.state === 'conflict'
            ? valuesInWords(field.field, { before: theirs, after: field.original }, context, formats).after
            : now,
        theirs: now,
        mine: mine === undefined ? '' : (sides?.after ?? now),
      },
      notes: field.notes.map((note) => noteInWords(note, formats)),
    };
  });
}

function noteInWords(note: AppliedNote, formats: Formats): string {
  if (note.kind === 'rounded') return `Rounded from ${note.exact}.`;
  const verb = note.count === 1 ? 'was' : 'were';
  return `${formats.counted(note.count, 'entry', 'entries')} ${verb} ${note.of === 'add' ? 'there already' : 'not there'}.`;
}

type Forecast = NonNullable<CheckedCampaign['forecast']>;

/** An account's available balance in integer micros; null if unknown. */
export type BalanceOf = (uid: number) => number | null;

const activeStatus = 1;

function forecastOf(
  before: JsonObject,
  after: JsonObject,
  { clocks, balanceOf }: { clocks: Clocks; balanceOf: BalanceOf },
): Forecast {
  const status = Number(after['status']);
  const hoursNextWeek = runs(status) ? runningHours(after, clocks) : 0;
  const isActivation = status === activeStatus && before['status'] !== activeStatus;
  return {
    status,
    hoursNextWeek,
    balance: isActivation ? assessBalance(balanceOf(Number(after['uid']))) : null,
  };
}

function assessBalance(balanceMicros: number | null): NonNullable<Forecast['balance']> {
  if (balanceMicros === null) return 'unknown';
  return balanceMicros < leastActivationMicros ? 'too_low' : 'enough';
}
