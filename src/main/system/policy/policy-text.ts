import { z } from 'zod';
import { type Guardrails, guardrailsSchema } from '#shared/app-api/index.ts';
import { AppError, fieldPath, parseStrictJson, issueInWords } from '#shared/errors/index.ts';
import { toDecimal, toMicros } from '#shared/lib/decimal.ts';
import { ownWords, sentence } from '#shared/lib/sentence.ts';

/** Limits that an administrator sets for every user of the computer. They only tighten; null sets none. */
export interface Policy {
  guardrails: Guardrails | null;
  /** The origins that a live profile may name; null allows any. */
  liveServices: readonly string[] | null;
  /** True if the app neither looks for updates nor installs them. */
  updatesOff: boolean;
}

const { maxBidFactor, maxCampaigns, pace, spendPace, quietHours, untouchable } = guardrailsSchema.shape;

/** An amount in the account's currency, as the guardrails keep it. */
const amount = z
  .number()
  .min(0)
  .max(999_999_999)
  .refine((value) => toDecimal(value).exponent >= -6, 'Use at most 6 decimals')
  .transform((value) => toMicros(value).toString());

/** An origin as a browser spells it, so that it can be compared with the addresses of a profile. */
const origin = z
  .string()
  .max(500)
  .refine(
    (text) => /^https?:/.test(text) && URL.parse(text)?.origin === text,
    'Write an origin, for example https://api.example.com',
  );

const guardrails = z.strictObject({
  maxBidFactor: maxBidFactor.unwrap().optional(),
  maxRaisePerDay: amount.optional(),
  maxRaiseUntilEnd: amount.optional(),
  maxCampaigns: maxCampaigns.unwrap().optional(),
  pace: z.strictObject(pace.unwrap().shape).optional(),
  spendPace: z.strictObject({ amount, hours: spendPace.unwrap().shape.hours }).optional(),
  quietHours: z.strictObject(quietHours.unwrap().shape).optional(),
  untouchable: untouchable.optional(),
});

/** The members of the file, each of which may be left out. A name that is not listed is refused: a limit with a typing error would not hold. */
const policyFile = z.strictObject({
  guardrails: guardrails.optional(),
  liveServices: z.array(origin).max(1000).optional(),
  updates: z.literal('off').optional(),
});

/**
 * Reads the text of the administrator's policy. Fails with `policy_unusable`, naming every place that is wrong in the message and
 * in `fields`.
 */
export function parsePolicy(text: string): Policy {
  const parsed = policyFile.safeParse(jsonOf(text));
  if (!parsed.success) {
    const fields = parsed.error.issues.map((issue) => ({
      field: fieldPath(issue.path),
      code: 'invalid',
      message: issueInWords(issue),
    }));
    const places = fields.map(({ field, message }) =>
      field === '' ? message : sentence`${field}: ${ownWords(message)}`,
    );
    throw new AppError('policy_unusable', { message: sentence`${ownWords(places.join('; '))}.`, fields });
  }
  const { guardrails: limits, liveServices = null, updates } = parsed.data;
  return {
    guardrails: limits === undefined ? null : asGuardrails(limits),
    liveServices,
    updatesOff: updates === 'off',
  };
}

function jsonOf(text: string): unknown {
  try {
    return parseStrictJson(text);
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause;
    throw new AppError('policy_unusable', { message: cause.message, cause });
  }
}

function asGuardrails(limits: z.output<typeof guardrails>): Guardrails {
  const { spendPace: spending } = limits;
  return {
    maxBidFactor: limits.maxBidFactor ?? null,
    maxRaisePerDayMicros: limits.maxRaisePerDay ?? null,
    maxRaiseUntilEndMicros: limits.maxRaiseUntilEnd ?? null,
    maxCampaigns: limits.maxCampaigns ?? null,
    pace: limits.pace ?? null,
    spendPace: spending === undefined ? null : { micros: spending.amount, hours: spending.hours },
    quietHours: limits.quietHours ?? null,
    untouchable: limits.untouchable ?? [],
  };
}
