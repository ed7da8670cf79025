export { createBulk } from './bulk/bulk.ts';
export type { Bulk } from './bulk/bulk.ts';
export { createCopies } from './copies.ts';
export type { Copies } from './copies.ts';
export { createDrafts } from './drafts.ts';
export type { Drafts, DraftsOptions } from './drafts.ts';
