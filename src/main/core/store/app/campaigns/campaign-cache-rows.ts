import type { Database } from '../../sqlite/index.ts';

/** A list row or a whole campaign that was read, as JSON text. */
export interface CachedRow {
  cid: number;
  body: string;
  readAtMs: number;
}

export interface CampaignCacheReader {
  /** Every row of the profile that was read and is still kept. */
  rows(profile: string): CachedRow[];
  campaign(profile: string, cid: number): CachedRow | null;
  /** Campaigns that were read whole, the newest read first. */
  campaigns(profile: string, limit: number): CachedRow[];
  /** The campaign that was read last. */
  newestCampaign(profile: string): CachedRow | null;
  /** The campaign's name as it was read last, foreign text; null if it was not read. */
  name(profile: string, cid: number): string | null;
}

export interface CampaignCacheWriter {
  keepRows(profile: string, rows: readonly CachedRow[]): void;
  /** Forgets the rows of all other campaigns. */
  keepOnlyRows(profile: string, cids: readonly number[]): void;
  keepCampaign(profile: string, campaign: CachedRow): void;
  /** Forgets everything that was read of the profile. */
  forget(profile: string): void;
}

/** Caches the campaigns of each service, for the time when it is away. */
export function createCachedRows(db: Database): CampaignCacheReader & CampaignCacheWriter {
  const columns = 'cid, body, read_at_ms AS readAtMs';
  const rows = db.prepare<[string], CachedRow>(`SELECT ${columns} FROM kept_row WHERE profile = ?`);
  const campaign = db.prepare<[string, number], CachedRow>(
    `SELECT ${columns} FROM kept_campaign WHERE profile = ? AND cid = ?`,
  );
  const newest = db.prepare<[string], CachedRow>(
    `SELECT ${columns} FROM kept_campaign WHERE profile = ? ORDER BY read_at_ms DESC LIMIT 1`,
  );
  const rowName = db
    .prepare<[string, number]>("SELECT body ->> '$.name' FROM kept_row WHERE profile = ? AND cid = ?")
    .pluck();
  const campaignName = db
    .prepare<[string, number]>(
      "SELECT body ->> '$.campaign.name' FROM kept_campaign WHERE profile = ? AND cid = ?",
    )
    .pluck();
  const campaigns = db.prepare<[string, number], CachedRow>(
    `SELECT ${columns} FROM kept_campaign WHERE profile = ? ORDER BY read_at_ms DESC LIMIT ?`,
  );
  const keepRow = upsert('kept_row');
  const keepCampaign = upsert('kept_campaign');
  const forgetOthers = db.prepare<[string, string]>(
    'DELETE FROM kept_row WHERE profile = ? AND cid NOT IN (SELECT value FROM json_each(?))',
  );
  const forgetRows = db.prepare<[string]>('DELETE FROM kept_row WHERE profile = ?');
  const forgetCampaigns = db.prepare<[string]>('DELETE FROM kept_campaign WHERE profile = ?');

  function upsert(table: 'kept_row' | 'kept_campaign') {
    return db.prepare<[CachedRow & { profile: string }]>(
      `INSERT INTO ${table} (profile, cid, body, read_at_ms) VALUES (:profile, :cid, :body, :readAtMs)
       ON CONFLICT (profile, cid) DO UPDATE SET body = excluded.body, read_at_ms = excluded.read_at_ms`,
    );
  }

  return {
    rows: (profile) => rows.all(profile),
    campaign: (profile, cid) => campaign.get(profile, cid) ?? null,
    campaigns: (profile, limit) => campaigns.all(profile, limit),
    newestCampaign: (profile) => newest.get(profile) ?? null,
    name(profile, cid) {
      const found = rowName.get(profile, cid) ?? campaignName.get(profile, cid);
      return typeof found === 'string' ? found : null;
    },
    keepRows(profile, cached) {
      for (const row of cached) keepRow.run({ ...row, profile });
    },
    keepOnlyRows: (profile, cids) => void forgetOthers.run(profile, JSON.stringify(cids)),
    keepCampaign: (profile, cached) => void keepCampaign.run({ ...cached, profile }),
    forget(profile) {
      forgetRows.run(profile);
      forgetCampaigns.run(profile);
    },
  };
}
