import { z } from 'zod';

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
