export { createMirror } from './mirror.ts';
export type { Mirror } from './mirror.ts';
