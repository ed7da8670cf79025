export { createBulk, type Bulk } from './bulk/bulk-changes.ts';
export { createCopies, type Copies } from './copies.ts';
export { createDrafts, type Drafts } from './drafts.ts';
