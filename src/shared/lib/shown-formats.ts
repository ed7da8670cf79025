import { setMomentZone } from './date-text.ts';
import { type NumberFormat, setNumberFormat } from './number-text.ts';

/** The zones in which moments can be shown: this computer's, that of the service's days, or UTC. */
export const momentZones = ['computer', 'service', 'utc'] as const;

/** How numbers and moments are written for a person. */
export interface ShownFormats {
  numbers: NumberFormat;
  moments: (typeof momentZones)[number];
}

export const usualFormats: ShownFormats = { numbers: 'comma', moments: 'computer' };

let current = usualFormats;

/** The formats of this process. */
export function shownFormats(): ShownFormats {
  return current;
}

/** Writes every number and moment of this process so from now on. `serviceZone` is the IANA zone of the days of the service. */
export function applyFormats(formats: ShownFormats, serviceZone: string): void {
  current = formats;
  setNumberFormat(formats.numbers);
  setMomentZone({ computer: undefined, service: serviceZone, utc: 'UTC' }[formats.moments]);
}
