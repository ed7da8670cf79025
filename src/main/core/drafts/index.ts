export { createDrafts } from './drafts.ts';
export type { Drafts } from './drafts.ts';
