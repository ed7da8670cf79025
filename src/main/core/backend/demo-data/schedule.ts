import type { Random } from './random.ts';

const hours = 24;
const week = Array.from({ length: 7 * hours }, (_, index) => ({
  day: Math.floor(index / hours),
  hour: index % hours,
}));

/** Whether an hour of the week is on; Monday is day 0. */
type Habit = (at: { day: number; hour: number }) => boolean;

const habits: readonly Habit[] = [
  // Office hours.
  ({ day, hour }) => day < 5 && hour >= 9 && hour < 18,
  // Evenings, longer at the weekend.
  ({ day, hour }) => hour >= (day < 5 ? 18 : 10) && hour < 23,
  // Weekends only.
  ({ day }) => day >= 5,
  // Nights.
  ({ hour }) => hour >= 22 || hour < 6,
  // Not in the small hours.
  ({ hour }) => hour >= 6,
  // Lunch and the way home.
  ({ day, hour }) => day < 5 && ((hour >= 11 && hour < 14) || (hour >= 17 && hour < 20)),
];

/** 168 values of 0 or 1, index = day × 24 + hour, Monday first. */
export function weeklySchedule(random: Random, isOn: boolean): number[] {
  if (!isOn) return week.map(() => 1);
  const habit = random.pick(habits);
  return week.map((at) => (habit(at) ? 1 : 0));
}
