import { createOAuthTables } from '../../oauth/index.ts';
import type { Migration } from '../../sqlite/index.ts';

/** Clients, codes, tokens, grants, sessions and interactions of the authorization server. Ids are hashes. */
export const oauth: Migration = {
  number: 3,
  name: 'OAuth storage',
  up(db) {
    createOAuthTables(db);
  },
};
