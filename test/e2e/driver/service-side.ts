import Database from 'better-sqlite3';
import { join } from 'node:path';
import { demoAccounts } from '#core/backend/demo-data/accounts.ts';

/** Gives a campaign to the neighbour: no client can do this; the service's operator can. */
export function giveCampaignAway(dataFolder: string, cid: number): void {
  const database = new Database(join(dataFolder, 'backend.sqlite'));
  try {
    const { uid } = demoAccounts('northwind').neighbour;
    database.prepare('UPDATE campaign SET uid = ? WHERE cid = ?').run(uid, cid);
  } finally {
    database.close();
  }
}
