import { z } from 'zod';

/** A number of a campaign or a source, as prompts carry it: in plain digits. */
export function digits(what: string): z.ZodString {
  return z.string().regex(/^[1-9]\d{0,14}$/, `Give ${what} in plain digits.`);
}

/** A calendar day. */
export const day = z.iso.date();
