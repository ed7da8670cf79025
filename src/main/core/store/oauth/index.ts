export { createMemoryRows } from './memory-rows.ts';
export type { OAuthRow, OAuthRows } from './rows.ts';
export { createSqlRows, createOAuthTables } from './sql-rows.ts';
