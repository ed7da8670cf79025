import { fieldLabel } from '../fields/labels.ts';
import { limits } from '../fields/limits.ts';
import { checkInteger } from './checks.ts';
import { isUnchanged, type Report, type Rule, type Subject } from './subject.ts';

/** Frequency cap and pacing: 0 is off, any other mode needs its counter and the tenant's switch (contract §2.4, §8). */
export const checkDelivery: Rule = (subject, report) => {
  const { enable_freq_cap, enable_traffic_speed } = subject.context.settings;
  checkMode(subject, {
    mode: 'freq_cap',
    counter: 'freq_counter',
    least: 1,
    enabled: enable_freq_cap,
    report,
  });
  checkMode(subject, {
    mode: 'traffic_speed',
    counter: 'traffic_speed_counter',
    least: limits.pacingCounter,
    enabled: enable_traffic_speed,
    report,
  });
};

interface Mode {
  mode: string;
  counter: string;
  /** Smallest counter while the mode is on. */
  least: number;
  /** The tenant offers it. What is stored already may stay. */
  enabled: boolean;
  report: Report;
}

function checkMode(subject: Subject, { mode, counter, least, enabled, report }: Mode): void {
  const chosen = checkInteger(subject, mode, report);
  const count = checkInteger(subject, counter, report);
  if (chosen !== null && chosen < 0) report(mode, 'out_of_range', `${fieldLabel(mode)} must be 0 or more.`);
  const isModeOn = chosen !== null && chosen > 0;
  if (isModeOn && !enabled && !isUnchanged(subject, mode)) {
    report(mode, 'not_allowed', `${fieldLabel(mode)} is not available for this account.`);
  }
  const floor = isModeOn ? least : 0;
  if (count === null || count >= floor) return;
  report(
    counter,
    'out_of_range',
    `${fieldLabel(counter)} must be at least ${floor.toLocaleString('en-US')}.`,
  );
}
