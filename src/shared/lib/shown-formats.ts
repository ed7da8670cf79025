import { createFormats, type Formats } from './formats.ts';
import type { NumberFormat } from './number-text.ts';

/** The zones in which moments can be shown: this computer's, that of the service's days, or UTC. */
export const momentZones = ['computer', 'service', 'utc'] as const;

export interface ShownFormats {
  numbers: NumberFormat;
  moments: (typeof momentZones)[number];
}

export const usualShownFormats: ShownFormats = { numbers: 'comma', moments: 'computer' };

/** The formats that a person set. `serviceZone` is the IANA zone of the days of the service. */
export function formatsOf({ numbers, moments }: ShownFormats, serviceZone: string): Formats {
  return createFormats({ numbers, zone: { computer: undefined, service: serviceZone, utc: 'UTC' }[moments] });
}
