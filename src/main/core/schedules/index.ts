export { createSchedules } from './schedules.ts';
export type { Schedules } from './schedules.ts';
