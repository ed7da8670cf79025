import { z } from 'zod';

/** The days of a week, Monday first. */
export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

const time = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Give the time of day as HH:MM, from 00:00 to 23:59.')
  .describe('Time of day in the zone, HH:MM.');

const timezone = z
  .string()
  .min(1)
  .max(64)
  .describe(
    'IANA name of the time zone, for example Europe/Berlin. A time that is left out when the clocks change runs at the next moment; one that comes twice runs once.',
  );

/** When a task is due. */
export const scheduleSchema = z.discriminatedUnion('type', [
  z
    .strictObject({
      type: z.literal('once'),
      at: z.iso
        .datetime({
          offset: true,
          error: 'Give date, time and offset, for example 2027-03-01T09:00:00+01:00.',
        })
        .describe('Date, time and offset, for example 2027-03-01T09:00:00+01:00.'),
    })
    .describe('Once.'),
  z.strictObject({ type: z.literal('daily'), time, timezone }).describe('Every day at a time.'),
  z
    .strictObject({
      type: z.literal('weekly'),
      days: z.array(z.enum(weekdays)).min(1).max(weekdays.length).describe('Days of the week.'),
      time,
      timezone,
    })
    .describe('On some days of every week at a time.'),
]);

export type Schedule = z.infer<typeof scheduleSchema>;
