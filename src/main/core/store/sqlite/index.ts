export type { Database } from './database.ts';
export { connectReadOnly } from './database.ts';
export { withStorageErrors } from './failures.ts';
export { rememberPlace } from './file-place.ts';
export { lockFolder } from './folder-lock.ts';
export { schemaNumber } from './inspect.ts';
export type { Migration } from './migrate.ts';
export { openDatabase } from './open-database.ts';
export { runTransaction } from './transaction.ts';
