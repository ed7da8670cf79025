export { createHold } from './hold.ts';
export type { Hold } from './hold.ts';
