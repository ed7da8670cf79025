export { createPanic } from './panic.ts';
export type { Panic } from './panic.ts';
