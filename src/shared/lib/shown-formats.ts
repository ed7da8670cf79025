import { createFormats, type Formats, type NumberFormat } from './formats.ts';

export const momentZones = ['computer', 'service', 'utc'] as const;

export interface ShownFormats {
  numbers: NumberFormat;
  moments: (typeof momentZones)[number];
}

export const usualShownFormats: ShownFormats = { numbers: 'comma', moments: 'computer' };

export function formatsOf({ numbers, moments }: ShownFormats, serviceZone: string): Formats {
  return createFormats({ numbers, zone: { computer: undefined, service: serviceZone, utc: 'UTC' }[moments] });
}
