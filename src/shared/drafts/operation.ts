import { z } from 'zod';
import type { JsonValue } from '../lib/json/json-value.ts';
import { maxMembers } from './lists.ts';

/** Decimals are texts, so that no operand is rounded to a double before it is applied. */
const decimal = z.string().regex(/^-?\d{1,15}(\.\d{1,6})?$/u);
const unsigned = decimal.refine((text) => !text.startsWith('-'), 'must not be negative');

const member = z.union([z.string().min(1).max(2_000), z.number()]);
export const members = z.array(member).min(1).max(maxMembers);
/** Indices into the week: day × 24 + hour, Monday first. */
export const hours = z.array(z.int().min(0).max(167)).min(1).max(168);

const json: z.ZodType<JsonValue, JsonValue> = z.json();

/** One intended change, applied to each new read: “raise by 10%” rather than “set to 0.11”. */
export const fieldOperationSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('set'), value: json }),
  z.object({ kind: z.literal('add'), amount: unsigned }),
  z.object({ kind: z.literal('subtract'), amount: unsigned }),
  /** `+10` raises by a tenth, `-10` lowers by a tenth. */
  z.object({ kind: z.literal('percent'), percent: decimal }),
  z.object({ kind: z.literal('floor'), amount: unsigned }),
  z.object({ kind: z.literal('cap'), amount: unsigned }),
  z.object({
    kind: z.literal('replaceText'),
    find: z.string().min(1).max(1_000),
    replacement: z.string().max(2_000),
    matchesCase: z.boolean(),
  }),
  z.object({ kind: z.literal('addMembers'), members }),
  z.object({ kind: z.literal('removeMembers'), members }),
  z.object({ kind: z.literal('addHours'), hours }),
  z.object({ kind: z.literal('removeHours'), hours }),
  z.object({ kind: z.literal('shiftDays'), days: z.int().min(-3_650).max(3_650) }),
  /** Sets one number in a bid control. `control` is the previous object and identifies the control if the order changes. */
  z.object({
    kind: z.literal('setBidControl'),
    control: z.record(z.string(), json),
    member: z.string().min(1).max(100),
    value: z.number(),
  }),
]);

export type FieldOperation = z.infer<typeof fieldOperationSchema>;

export const fieldDraftSchema = z.object({
  from: json,
  operations: z.array(fieldOperationSchema).min(1).max(50),
});

export type FieldDraft = z.infer<typeof fieldDraftSchema>;

export type CampaignDraft = Readonly<Record<string, FieldDraft>>;
