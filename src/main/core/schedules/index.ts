export { createSchedules, type Schedules } from './schedules.ts';
