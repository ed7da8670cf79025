export { createMemoryRows } from './rows.ts';
export type { OAuthRow, OAuthRows } from './rows.ts';
export { createSqlRows, createOAuthTables } from './rows.ts';
