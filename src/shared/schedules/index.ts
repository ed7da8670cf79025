export { zonedDateTime } from './local-time.ts';
export { reportInWords, scheduleInWords, taskInWords } from './words.ts';
export type { TaskWords } from './words.ts';
