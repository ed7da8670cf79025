import { createFormats, type Formats } from './formats.ts';
import type { NumberFormat } from './number-text.ts';

export const momentZones = ['computer', 'service', 'utc'] as const;

export interface ShownFormats {
  numbers: NumberFormat;
  moments: (typeof momentZones)[number];
}

export const usualShownFormats: ShownFormats = { numbers: 'comma', moments: 'computer' };

export function formatsOf({ numbers, moments }: ShownFormats, serviceZone: string): Formats {
  return createFormats({ numbers, zone: { computer: undefined, service: serviceZone, utc: 'UTC' }[moments] });
}
