export { setUpUpdates } from './set-up-updates.ts';
export type { UpdateParts } from './set-up-updates.ts';
export { builtSource } from './update-source.ts';
