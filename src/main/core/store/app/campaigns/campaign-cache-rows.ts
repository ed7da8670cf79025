import { columnsOf, type Database, readColumn, readRow, writes } from '../../sqlite/database.ts';
import { isJsonObject, type JsonObject } from '#shared/lib/json/json-value.ts';
import type { AccountScope } from '../settings-and-profiles.ts';
import { packText, unpackText } from '../packed-text.ts';
import { z } from 'zod';

interface CachedRow {
  cid: number;
  body: string;
  readAtMs: number;
}

export interface CampaignCacheReader {
  rows(profile: string): CachedRow[];
  campaign(profile: string, cid: number): CachedRow | null;
  /** Campaigns that were read whole, the newest read first. */
  campaigns(profile: string, limit: number): CachedRow[];
  newestCampaign(profile: string): CachedRow | null;
  /** The campaign's name as it was read last, foreign text; null if it was not read. */
  name(profile: string, cid: number): string | null;
}

export interface CampaignCacheWriter {
  keepRows(profile: string, rows: readonly CachedRow[]): void;
  /** Forgets the rows of all other campaigns. */
  keepOnlyRows(profile: string, cids: readonly number[]): void;
  keepCampaign(profile: string, campaign: CachedRow): void;
  forget(profile: string): void;
}

export function createCachedRows(db: Database): CampaignCacheReader & CampaignCacheWriter {
  const columns = 'cid, body, read_at_ms AS readAtMs';
  const rows = db.prepare<[string], CachedRow>(`SELECT ${columns} FROM kept_row WHERE profile = ?`);
  const campaign = db.prepare<[string, number], CachedRow>(
    `SELECT ${columns} FROM kept_campaign WHERE profile = ? AND cid = ?`,
  );
  const newest = db.prepare<[string], CachedRow>(
    `SELECT ${columns} FROM kept_campaign WHERE profile = ? ORDER BY read_at_ms DESC LIMIT 1`,
  );
  const rowName = readColumn<[string, number], unknown>(
    db,
    "SELECT body ->> '$.name' FROM kept_row WHERE profile = ? AND cid = ?",
  );
  const campaignName = readColumn<[string, number], unknown>(
    db,
    "SELECT body ->> '$.campaign.name' FROM kept_campaign WHERE profile = ? AND cid = ?",
  );
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

interface CampaignCopy {
  /** YYYY-MM-DD, a day of the profile's service zone. */
  day: string;
  atMs: number;
  campaign: JsonObject;
}

export interface CampaignCopyRows {
  /** Keeps the copy; does nothing where that day has one. */
  keep(scope: AccountScope, cid: number, copy: Omit<CampaignCopy, 'campaign'> & { body: string }): void;
  has(scope: AccountScope, cid: number, day: string): boolean;
  /** Newest first. A row that cannot be read any more is left out. */
  of(scope: AccountScope, cid: number): CampaignCopy[];
  /** Removes rows older than `beforeMs`, and the oldest beyond `max`, of every profile. */
  prune(limits: { beforeMs: number; max: number }): void;
  forget(profileId: string): void;
}

interface CampaignCopyRow {
  day: string;
  atMs: number;
  /** Compressed, in base64; JSON text if an earlier build stored it. */
  body: string;
}

export function createCampaignCopyRows(db: Database): CampaignCopyRows {
  const keep = db.prepare<[AccountScope & CampaignCopyRow & { cid: number }]>(
    `INSERT INTO campaign_copy (profile_id, account, cid, day, at_ms, body)
     VALUES (:profileId, :account, :cid, :day, :atMs, :body) ON CONFLICT DO NOTHING`,
  );
  const of = db.prepare<[AccountScope & { cid: number }], CampaignCopyRow>(
    `SELECT day, at_ms AS atMs, body FROM campaign_copy
     WHERE profile_id = :profileId AND account = :account AND cid = :cid ORDER BY day DESC`,
  );
  const has = readColumn<[AccountScope & { cid: number; day: string }], unknown>(
    db,
    `SELECT 1 FROM campaign_copy
       WHERE profile_id = :profileId AND account = :account AND cid = :cid AND day = :day`,
  );
  const removeOld = db.prepare<[number]>('DELETE FROM campaign_copy WHERE at_ms < ?');
  const removeBeyond = db.prepare<[number]>(
    `DELETE FROM campaign_copy WHERE rowid IN
       (SELECT rowid FROM campaign_copy ORDER BY at_ms DESC, rowid DESC LIMIT -1 OFFSET ?)`,
  );
  return {
    keep({ profileId, account }, cid, { body, ...copy }) {
      keep.run({ profileId, account, cid, ...copy, body: packText(body).toString('base64') });
    },
    has: ({ profileId, account }, cid, day) => has.get({ profileId, account, cid, day }) !== undefined,
    of: (scope, cid) => of.all({ ...scope, cid }).flatMap(fromRow),
    prune({ beforeMs, max }) {
      removeOld.run(beforeMs);
      removeBeyond.run(max);
    },
    forget: writes(db, 'DELETE FROM campaign_copy WHERE profile_id = ?'),
  };
}

function fromRow({ body, ...row }: CampaignCopyRow): CampaignCopy[] {
  try {
    const text = body.startsWith('{') ? body : unpackText(Buffer.from(body, 'base64'));
    const campaign: unknown = JSON.parse(text);
    return isJsonObject(campaign) ? [{ ...row, campaign }] : [];
  } catch {
    return [];
  }
}

export interface StoredStatusChange {
  cid: number;
  /** Null where it is not known. */
  before: number | null;
  /** Null if a write may have changed the status and no read told what it became. */
  after: number | null;
  atMs: number;
  /** The name of an agent or a schedule is foreign text. */
  by: { kind: 'person' | 'agent' | 'schedule'; name: string };
  proposalId: string;
  /** Its return to the status before is offered until it is used or dismissed. */
  isReturnOffered: boolean;
}

export interface StatusChangeRows {
  /** Takes the place of an older one of the same campaign; does nothing if the one there was sent later. */
  put(profileId: string, change: StoredStatusChange): void;
  find(profileId: string, cid: number): StoredStatusChange | null;
  /** True if a write to it, sent at this moment or later, is under way or has an unknown outcome, looked for or not. */
  hasUnknownSince(profileId: string, cid: number, sinceMs: number): boolean;
  offered(profileId: string): StoredStatusChange[];
  /** Ends the offer for the changes of a proposal. */
  dismiss(profileId: string, proposalId: string): void;
}

interface StatusChangeRow extends Omit<StoredStatusChange, 'by' | 'isReturnOffered'> {
  byKind: string;
  byName: string;
  returnOffered: number;
}

const members = 'cid before after atMs byKind byName proposalId returnOffered';
const columns = columnsOf(members);

const kindSchema = z.enum(['person', 'agent', 'schedule']);

/** One row for each campaign, so that the removal of proposals' details takes nothing from it. */
export function createStatusChangeRows(db: Database): StatusChangeRows {
  const put = db.prepare<[StatusChangeRow & { profileId: string }]>(
    `INSERT INTO status_change ${columnsOf(`profileId ${members}`).inserted}
     ON CONFLICT (profile_id, cid) DO UPDATE SET ${columns.updated}
     WHERE excluded.at_ms >= status_change.at_ms`,
  );
  const find = db.prepare<[string, number], StatusChangeRow>(
    `SELECT ${columns.selected} FROM status_change WHERE profile_id = ? AND cid = ?`,
  );
  const unknownSince = readColumn<[string, number, number], number>(
    db,
    `SELECT 1 FROM proposal_target JOIN proposal ON proposal.id = proposal_target.proposal_id
       WHERE proposal.profile_id = ? AND proposal_target.cid = ? AND proposal.state IN ('intent', 'sent', 'unknown')
         AND proposal.intent_at_ms >= ? LIMIT 1`,
  );
  const offered = db.prepare<[string], StatusChangeRow>(
    `SELECT ${columns.selected} FROM status_change WHERE profile_id = ? AND return_offered = 1 ORDER BY proposal_id, cid`,
  );
  return {
    put(profileId, { by, isReturnOffered, ...change }) {
      const row = { ...change, byKind: by.kind, byName: by.name, returnOffered: Number(isReturnOffered) };
      put.run({ ...row, profileId });
    },
    find: (profileId, cid) => readRow(find.get(profileId, cid), statusChangeFromRow),
    hasUnknownSince: (profileId, cid, sinceMs) => unknownSince.get(profileId, cid, sinceMs) !== undefined,
    offered: (profileId) => offered.all(profileId).map(statusChangeFromRow),
    dismiss: writes(
      db,
      'UPDATE status_change SET return_offered = 0 WHERE profile_id = ? AND proposal_id = ? AND return_offered = 1',
    ),
  };
}

function statusChangeFromRow({ byKind, byName, returnOffered, ...row }: StatusChangeRow): StoredStatusChange {
  const by = { kind: kindSchema.parse(byKind), name: byName };
  return { ...row, by, isReturnOffered: returnOffered === 1 };
}
