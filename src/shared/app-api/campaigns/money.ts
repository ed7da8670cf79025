import { z } from 'zod';
import { nothing, request } from '../define.ts';

const micros = z.string();

/**
 * Raises of the money per day: their sum in `micros`, and the number of unlimited or unknown raises, which no sum can include.
 */
const raisesSchema = z.object({ micros, unlimited: z.int() });

export const moneyTodaySchema = z.object({
  /** Null if no campaign of the profile was read yet. */
  campaigns: z
    .object({
      /** The sum over campaigns that can still spend today and have a limit. */
      atRiskMicros: micros,
      unlimited: z.int(),
      read: z.int(),
      /** Number of campaigns of the account, null if not known. */
      total: z.int().nullable(),
      oldestReadAtMs: z.number(),
    })
    .nullable(),
  waiting: raisesSchema,
  /** Raises by agents since the service's day began. */
  byAgents: raisesSchema,
  /** Milliseconds until the service's day ends. The figures are valid until then. */
  dayLeftMs: z.number(),
});

export type MoneyToday = z.infer<typeof moneyTodaySchema>;

export const moneyApi = {
  /**
   * The money of the active profile at a glance, from earlier reads. Sends no request to the service. Changes with
   * `campaigns.changed`, `campaigns.loading`, `campaigns.searching`, `proposals.changed` and `profiles.changed`, and
   * with each page of the list.
   */
  'money.today': request(nothing, moneyTodaySchema),
};
