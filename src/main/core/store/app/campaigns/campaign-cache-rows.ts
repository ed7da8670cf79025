import { columnsOf, type Database, readAll, readFirst, readValue, writes } from '../../sqlite/database.ts';
import { isJsonObject, type JsonObject } from '#shared/lib/json/json-value.ts';
import type { AccountScope } from './campaign-note-rows.ts';
import { packText, unpackText } from '../packed-text.ts';
import { z } from 'zod';

interface CachedRow {
  cid: number;
  body: string;
  readAtMs: number;
}

export interface CachedBudgets {
  cid: number;
  status: number;
  daily_budget: number;
  total_budget: number;
  readAtMs: number;
}

export interface CampaignCacheReader {
  rows(profile: string): CachedRow[];
  /** A page of rows with a cid above `afterCid`, in ascending order. */
  budgets(query: { profile: string; afterCid: number; limit: number }): CachedBudgets[];
  campaign(profile: string, cid: number): CachedRow | null;
  campaigns(profile: string, limit: number): CachedRow[];
  newestCampaign(profile: string): CachedRow | null;
  /** Untrusted text; null if the campaign was never read. */
  name(profile: string, cid: number): string | null;
}

export interface CampaignCacheWriter {
  keepRows(profile: string, rows: readonly CachedRow[]): void;
  keepOnlyRows(profile: string, cids: readonly number[]): void;
  keepCampaign(profile: string, campaign: CachedRow): void;
  forget(profile: string): void;
}

export function createCachedRows(db: Database): CampaignCacheReader & CampaignCacheWriter {
  const columns = 'cid, body, read_at_ms AS readAtMs';
  const upsert = (table: 'kept_row' | 'kept_campaign') =>
    writes(
      db,
      `INSERT INTO ${table} (profile, cid, body, read_at_ms) VALUES (:profile, :cid, :body, :readAtMs)
       ON CONFLICT (profile, cid) DO UPDATE SET body = excluded.body, read_at_ms = excluded.read_at_ms`,
    );
  const rowName = readValue(db, "SELECT body ->> '$.name' FROM kept_row WHERE profile = ? AND cid = ?");
  const campaignName = readValue(
    db,
    "SELECT body ->> '$.campaign.name' FROM kept_campaign WHERE profile = ? AND cid = ?",
  );
  const keepRow = upsert('kept_row');
  const keepCampaign = upsert('kept_campaign');
  const forgetOthers = writes(
    db,
    'DELETE FROM kept_row WHERE profile = ? AND cid NOT IN (SELECT value FROM json_each(?))',
  );
  const forgetRows = writes(db, 'DELETE FROM kept_row WHERE profile = ?');
  const forgetCampaigns = writes(db, 'DELETE FROM kept_campaign WHERE profile = ?');
  const newestFirst = `SELECT ${columns} FROM kept_campaign WHERE profile = ? ORDER BY read_at_ms DESC`;

  return {
    rows: readAll<CachedRow>(db, `SELECT ${columns} FROM kept_row WHERE profile = ?`),
    budgets: readAll<CachedBudgets>(
      db,
      `SELECT cid, body ->> '$.status' AS status, body ->> '$.daily_budget' AS daily_budget,
         body ->> '$.total_budget' AS total_budget, read_at_ms AS readAtMs FROM kept_row
       WHERE profile = :profile AND cid > :afterCid ORDER BY cid LIMIT :limit`,
    ),
    campaign: readFirst<CachedRow>(db, `SELECT ${columns} FROM kept_campaign WHERE profile = ? AND cid = ?`),
    campaigns: readAll<CachedRow>(db, `${newestFirst} LIMIT ?`),
    newestCampaign: readFirst<CachedRow>(db, `${newestFirst} LIMIT 1`),
    name(profile, cid) {
      const found = rowName(profile, cid) ?? campaignName(profile, cid);
      return typeof found === 'string' ? found : null;
    },
    keepRows(profile, cached) {
      for (const row of cached) keepRow({ ...row, profile });
    },
    keepOnlyRows: (profile, cids) => forgetOthers(profile, JSON.stringify(cids)),
    keepCampaign: (profile, cached) => keepCampaign({ ...cached, profile }),
    forget(profile) {
      forgetRows(profile);
      forgetCampaigns(profile);
    },
  };
}

interface CampaignCopy {
  /** A day in the service's zone: `YYYY-MM-DD`. */
  day: string;
  atMs: number;
  campaign: JsonObject;
}

export interface CampaignCopyRows {
  /** Does nothing if that day already has a copy. */
  keep(scope: AccountScope, cid: number, copy: Omit<CampaignCopy, 'campaign'> & { body: string }): void;
  has(scope: AccountScope, cid: number, day: string): boolean;
  of(scope: AccountScope, cid: number): CampaignCopy[];
  /** Removes rows older than `beforeMs`, and the oldest rows beyond `max`. */
  prune(limits: { beforeMs: number; max: number }): void;
  forget(profileId: string): void;
}

interface CampaignCopyRow {
  day: string;
  atMs: number;
  /** Compressed, in base64. Rows of an earlier build contain JSON text and must stay readable. */
  body: string;
}

export function createCampaignCopyRows(db: Database): CampaignCopyRows {
  const isOf = 'profile_id = :profileId AND account = :account AND cid = :cid';
  const keep = writes(
    db,
    `INSERT INTO campaign_copy (profile_id, account, cid, day, at_ms, body)
     VALUES (:profileId, :account, :cid, :day, :atMs, :body) ON CONFLICT DO NOTHING`,
  );
  const of = readAll<CampaignCopyRow>(
    db,
    `SELECT day, at_ms AS atMs, body FROM campaign_copy WHERE ${isOf} ORDER BY day DESC`,
  );
  const has = readValue(db, `SELECT 1 FROM campaign_copy WHERE ${isOf} AND day = :day`);
  const removeOld = writes(db, 'DELETE FROM campaign_copy WHERE at_ms < ?');
  const removeBeyond = writes(
    db,
    `DELETE FROM campaign_copy WHERE rowid IN
       (SELECT rowid FROM campaign_copy ORDER BY at_ms DESC, rowid DESC LIMIT -1 OFFSET ?)`,
  );
  return {
    keep(scope, cid, { body, ...copy }) {
      keep({ ...scope, cid, ...copy, body: packText(body).toString('base64') });
    },
    has: (scope, cid, day) => has({ ...scope, cid, day }) !== null,
    of: (scope, cid) => of({ ...scope, cid }).flatMap(fromRow),
    prune({ beforeMs, max }) {
      removeOld(beforeMs);
      removeBeyond(max);
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
  before: number | null;
  /** Null if no read after the write found the status. */
  after: number | null;
  atMs: number;
  /** `name` of an agent or a schedule is untrusted text. */
  by: { kind: 'person' | 'agent' | 'schedule'; name: string };
  proposalId: string;
  isReturnOffered: boolean;
}

export interface StatusChangeRows {
  /** Does nothing if the stored change was sent later. */
  put(profileId: string, change: StoredStatusChange): void;
  find(profileId: string, cid: number): StoredStatusChange | null;
  /** True if a write that was sent since `sinceMs` is in flight or has an unknown outcome. */
  hasUnknownSince(profileId: string, cid: number, sinceMs: number): boolean;
  offered(profileId: string): StoredStatusChange[];
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

export function createStatusChangeRows(db: Database): StatusChangeRows {
  const put = writes(
    db,
    `INSERT INTO status_change ${columnsOf(`profileId ${members}`).inserted}
     ON CONFLICT (profile_id, cid) DO UPDATE SET ${columns.updated}
     WHERE excluded.at_ms >= status_change.at_ms`,
  );
  const select = `SELECT ${columns.selected} FROM status_change WHERE profile_id = ?`;
  const unknownSince = readValue(
    db,
    `SELECT 1 FROM proposal_target JOIN proposal ON proposal.id = proposal_target.proposal_id
     WHERE proposal.profile_id = ? AND proposal_target.cid = ? AND proposal.state IN ('intent', 'sent', 'unknown')
       AND proposal.intent_at_ms >= ? LIMIT 1`,
  );
  return {
    put(profileId, { by, isReturnOffered, ...change }) {
      const returnOffered = Number(isReturnOffered);
      put({ ...change, byKind: by.kind, byName: by.name, returnOffered, profileId });
    },
    find: readFirst(db, `${select} AND cid = ?`, statusChangeFromRow),
    hasUnknownSince: (profileId, cid, sinceMs) => unknownSince(profileId, cid, sinceMs) !== null,
    offered: readAll(db, `${select} AND return_offered = 1 ORDER BY proposal_id, cid`, statusChangeFromRow),
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
