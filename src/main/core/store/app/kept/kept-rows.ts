import type { Database } from '../../sqlite/index.ts';

/** A list row that was read, as JSON text. */
export interface KeptRow {
  cid: number;
  typeName: string;
  status: number;
  name: string;
  body: string;
  readAtMs: number;
}

/** A campaign that was read whole, as JSON text. */
export interface KeptCampaign {
  cid: number;
  body: string;
  readAtMs: number;
}

export interface KeptReader {
  /** Every row of the profile that was read and is still kept. */
  rows(profile: string): KeptRow[];
  campaign(profile: string, cid: number): KeptCampaign | null;
}

export interface KeptWriter {
  keepRows(profile: string, rows: readonly KeptRow[]): void;
  keepCampaign(profile: string, campaign: KeptCampaign): void;
  /** Forgets everything that was read of the profile. */
  forget(profile: string): void;
}

/** What was read of each service, for the time when it is away. */
export function createKeptRows(db: Database): KeptReader & KeptWriter {
  const rows = db.prepare<[string], KeptRow>(
    'SELECT cid, type_name AS typeName, status, name, body, read_at_ms AS readAtMs FROM kept_row WHERE profile = ?',
  );
  const campaign = db.prepare<[string, number], KeptCampaign>(
    'SELECT cid, body, read_at_ms AS readAtMs FROM kept_campaign WHERE profile = ? AND cid = ?',
  );
  const keepRow = db.prepare<[KeptRow & { profile: string }]>(
    `INSERT INTO kept_row (profile, cid, type_name, status, name, body, read_at_ms)
     VALUES (:profile, :cid, :typeName, :status, :name, :body, :readAtMs)
     ON CONFLICT (profile, cid) DO UPDATE SET type_name = excluded.type_name, status = excluded.status,
       name = excluded.name, body = excluded.body, read_at_ms = excluded.read_at_ms`,
  );
  const keepCampaign = db.prepare<[KeptCampaign & { profile: string }]>(
    `INSERT INTO kept_campaign (profile, cid, body, read_at_ms) VALUES (:profile, :cid, :body, :readAtMs)
     ON CONFLICT (profile, cid) DO UPDATE SET body = excluded.body, read_at_ms = excluded.read_at_ms`,
  );
  const forgetRows = db.prepare<[string]>('DELETE FROM kept_row WHERE profile = ?');
  const forgetCampaigns = db.prepare<[string]>('DELETE FROM kept_campaign WHERE profile = ?');
  return {
    rows: (profile) => rows.all(profile),
    campaign: (profile, cid) => campaign.get(profile, cid) ?? null,
    keepRows(profile, kept) {
      for (const row of kept) keepRow.run({ ...row, profile });
    },
    keepCampaign: (profile, kept) => void keepCampaign.run({ ...kept, profile }),
    forget(profile) {
      forgetRows.run(profile);
      forgetCampaigns.run(profile);
    },
  };
}
