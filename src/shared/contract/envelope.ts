import { z } from 'zod';

/** The envelope of every REST answer (contract §2.1). `data` is absent on the campaign update answer. */
export const envelopeSchema = z.looseObject({
  status: z.string(),
  message: z.string(),
  data: z.unknown().optional(),
});

/** Answer of `/ready` (contract §4.3): each dependency by name. */
export const readySchema = z.looseObject({
  status: z.enum(['ready', 'not_ready']),
  checks: z.record(z.string(), z.enum(['ok', 'failed'])),
});

const sums = {
  gross_requests: z.int(),
  gross_clicks: z.int(),
  gross_valid: z.int(),
  gross_invalid: z.int(),
  gross_revenue: z.number(),
  net_requests: z.int(),
  net_clicks: z.int(),
  net_revenue: z.number(),
};

/** One row of the XML statistics by day (contract §2.5). */
export const xmlDayRowSchema = z.looseObject({ date: z.iso.date(), ...sums });

/** A row by country or subid, in our format: the contract has none. */
export const xmlGeoRowSchema = z.looseObject({ geo: z.string(), ...sums });
export const xmlSubidRowSchema = z.looseObject({ subid: z.string(), ...sums });

export const xmlStatsRowSchema = z.union([xmlDayRowSchema, xmlGeoRowSchema, xmlSubidRowSchema]);

const count = z.string().regex(/^\d+$/);

const decimal = z.string().regex(/^-?\d+(\.\d+)?$/);

/** One row of the Search report (contract §2.6). Numeric values are decimal texts. */
export const searchReportRowSchema = z.looseObject({
  date: z.iso.date(),
  feed: z.int(),
  geo: z.string(),
  subid: z.string(),
  total: count,
  monetized: count,
  clicks: count,
  revenue: decimal,
  epc: decimal,
  rpm: decimal,
});
