import type { XmlSums } from './types.ts';

/** The columns of XML sums, in the order of every table that has them. */
export const sumColumns: readonly { column: string; member: keyof XmlSums }[] = [
  { column: 'gross_requests', member: 'grossRequests' },
  { column: 'gross_clicks', member: 'grossClicks' },
  { column: 'gross_valid', member: 'grossValid' },
  { column: 'gross_invalid', member: 'grossInvalid' },
  { column: 'gross_revenue_micros', member: 'grossRevenueMicros' },
  { column: 'net_requests', member: 'netRequests' },
  { column: 'net_clicks', member: 'netClicks' },
  { column: 'net_revenue_micros', member: 'netRevenueMicros' },
];
