export { zonedDateTime } from './local-time.ts';
export { reportInWords, reportSubject, scheduleInWords, taskInWords } from './words.ts';
export type { TaskWords } from './words.ts';
