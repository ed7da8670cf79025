import { z } from 'zod';

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

/** One row by country or subid: our choice where the contract is silent. */
export const xmlGeoRowSchema = z.looseObject({ geo: z.string(), ...sums });
export const xmlSubidRowSchema = z.looseObject({ subid: z.string(), ...sums });

/** One row of any grouping. */
export const xmlStatsRowSchema = z.union([xmlDayRowSchema, xmlGeoRowSchema, xmlSubidRowSchema]);

/** A count as text (contract §2.6). */
const count = z.string().regex(/^\d+$/);

/** A decimal as text (contract §2.6). */
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
