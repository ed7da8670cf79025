import { z } from 'zod';

/** An amount as text made by the core: `$50.00`, `Unlimited`. */
const moneyText = z.object({
  text: z.string(),
  unlimited: z.boolean(),
  /** Integer micros as decimal text. Empty if unlimited. */
  micros: z.string(),
  /** For money per day, the first day on which it can be spent, YYYY-MM-DD. Absent for today. */
  from: z.string().exactOptional(),
  /** For money until the end, the last day of the flight, YYYY-MM-DD. Null without an end, absent if several ends differ. */
  until: z.string().nullable().exactOptional(),
});

export type MoneyText = z.infer<typeof moneyText>;

export const beforeAfter = z.object({ before: moneyText, after: moneyText });

/**
 * One campaign that a proposal touches. Names are untrusted text, quoted and made inert, with control characters made
 * visible.
 */
export const targetSchema = z.object({
  cid: z.int(),
  name: z.string(),
  statusBefore: z.int(),
  statusAfter: z.int(),
  perDay: beforeAfter,
  untilEnd: beforeAfter,
});

/**
 * A proposal that was shown. `address` is the one-time address to open if the host cannot open a window itself
 * (browser), else null.
 */
export const shownProposalSchema = z.object({ id: z.string(), address: z.string().nullable() });

export const targetsPerPage = 200;

export const fromSchema = z.int().min(0);

export const targetPageSchema = z.object({ targets: z.array(targetSchema) });

export type TargetPage = z.infer<typeof targetPageSchema>;
