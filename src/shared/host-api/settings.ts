import { z } from 'zod';
import { themes } from './desktop.ts';

/** Where a window stood, in the screen's own points; the size is the one before it was maximised. */
export const placeSchema = z.object({
  x: z.int(),
  y: z.int(),
  width: z.int().positive(),
  height: z.int().positive(),
  maximised: z.boolean(),
});

export type Place = z.infer<typeof placeSchema>;

/** Everything that the desktop host remembers between two starts. What is missing or damaged is as if never set. */
export const settingsSchema = z.object({
  theme: z.enum(themes).catch('system'),
  appPlace: placeSchema.nullable().catch(null),
  confirmPlace: placeSchema.nullable().catch(null),
  /** A person agreed that a weak vault may keep secrets. */
  weakVaultConsent: z.object({ agreedAtMs: z.number() }).nullable().catch(null),
});

export type SettingsValues = z.infer<typeof settingsSchema>;
