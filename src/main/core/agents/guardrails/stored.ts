import { guardrailsSchema, type Guardrails } from '#shared/app-api/index.ts';

/** No limit at all. */
const open: Guardrails = {
  maxBidFactor: null,
  maxRaisePerDayMicros: null,
  maxRaiseUntilEndMicros: null,
  maxCampaigns: null,
  pace: null,
  spendPace: null,
  quietHours: null,
  untouchable: [],
};

/** Every limit as tight as it can be: no hour is left in which an agent may propose. */
const tightest: Guardrails = {
  maxBidFactor: 1,
  maxRaisePerDayMicros: '0',
  maxRaiseUntilEndMicros: '0',
  maxCampaigns: 1,
  pace: { changes: 1, minutes: 1440 },
  spendPace: { micros: '0', hours: 168 },
  quietHours: { fromHour: 0, untilHour: 0 },
  untouchable: [],
};

/** An earlier version of the app stored no limit for the money until the end. */
const storedSchema = guardrailsSchema.extend({
  maxRaiseUntilEndMicros: guardrailsSchema.shape.maxRaiseUntilEndMicros.default(null),
});

/** The guardrails as they stand in the settings; where nobody can read them any more, the tightest ones, and said so. */
export function fromStored(text: string | null): { guardrails: Guardrails; isReadable: boolean } {
  if (text === null) return { guardrails: open, isReadable: true };
  const parsed = storedSchema.safeParse(parsedJson(text));
  return parsed.success
    ? { guardrails: parsed.data, isReadable: true }
    : { guardrails: tightest, isReadable: false };
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
