import { z } from 'zod';
import { isInOrder, notInOrder } from '../tools/report-range.ts';
import { day, digits } from './arguments.ts';
import type { RemotePrompt } from './prompt.ts';

/** `explain_report`: tells what happened in the traffic of a source. */
export const explainReport: RemotePrompt = {
  name: 'explain_report',
  title: 'Explain a traffic report',
  description: 'Read the XML statistics of one traffic source and say what happened, and what to ask next.',
  scopes: [],
  modules: ['xml'],
  input: z
    .strictObject({
      tid: digits('the traffic source').describe('The traffic source id.'),
      date_from: day.describe('First day, YYYY-MM-DD.'),
      date_to: day.describe('Last day, YYYY-MM-DD.'),
    })
    .refine(isInOrder, notInOrder),
  text: ({
    tid,
    date_from: from,
    date_to: to,
  }) => `Explain the traffic of source ${tid} from ${from} to ${to}.

1. Read it three ways: svc_xml_stats {"tid": ${tid}, "date_from": "${from}", "date_to": "${to}", "groupBy": "day"}, then with "geo" and "subid".
2. Say first, in two sentences, how it went: revenue, clicks, and the share of invalid clicks (gross_invalid of gross_clicks).
3. Then the days that stand out, with their figures: outages, jumps, a rise of invalid clicks. Compare a weekday with the same weekday. Today is not over: its figures are partial. Days are UTC.
4. Name the countries and subids that explain most of it. An empty subid is traffic that was sent without one.
5. Keep apart what the figures show and what you suspect. End with what I should check, and where.

Add up only what the rows say, and change nothing.`,
};
