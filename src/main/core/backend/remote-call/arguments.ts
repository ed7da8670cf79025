import { z } from 'zod';
import type { JsonObject } from '#shared/lib/json/json-value.ts';

/** Returns an empty text if the value is not a text. */
export function textIn(payload: JsonObject, key: string): string {
  const value = payload[key];
  return typeof value === 'string' ? value : '';
}

export const isInOrder = ({
  date_from: from,
  date_to: to,
}: {
  date_from: string;
  date_to: string;
}): boolean => from <= to || ![from, to].every((day) => z.iso.date().safeParse(day).success);

export const notInOrder = {
  path: ['date_to'],
  message: 'date_to must not be before date_from.',
  params: { code: 'out_of_range' },
};
