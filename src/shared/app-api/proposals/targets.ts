import { z } from 'zod';
import type { MoneyText } from '../../campaign/index.ts';

const moneyText: z.ZodType<MoneyText> = z.object({
  text: z.string(),
  unlimited: z.boolean(),
  micros: z.string(),
  from: z.string().exactOptional(),
  until: z.string().nullable().exactOptional(),
} satisfies Record<keyof MoneyText, z.ZodType>);

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

export const offsetSchema = z.int().min(0);

export const targetPageSchema = z.object({ targets: z.array(targetSchema) });

export type TargetPage = z.infer<typeof targetPageSchema>;
