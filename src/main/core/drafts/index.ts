export { createBulk } from './bulk/bulk.ts';
export type { Bulk } from './bulk/bulk.ts';
export { createDrafts } from './drafts.ts';
export type { Drafts } from './drafts.ts';
