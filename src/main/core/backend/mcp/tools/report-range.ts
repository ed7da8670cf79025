import { z } from 'zod';

/** First and last day of a report, both inclusive (contract §4.2). Days of the service are UTC. */
export const rangeShape = {
  date_from: z.iso.date().describe('First day, YYYY-MM-DD, UTC.'),
  date_to: z.iso.date().describe('Last day, inclusive, YYYY-MM-DD, UTC.'),
};

/** That the last day is not before the first; what is no day at all has been said already. */
export const isInOrder = ({
  date_from: from,
  date_to: to,
}: {
  date_from: string;
  date_to: string;
}): boolean => from <= to || ![from, to].every((day) => z.iso.date().safeParse(day).success);

/** What is said when it is. */
export const notInOrder = {
  path: ['date_to'],
  message: 'date_to must not be before date_from.',
  params: { code: 'out_of_range' },
};
