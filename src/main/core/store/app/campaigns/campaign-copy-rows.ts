import { isJsonObject, type JsonObject } from '#shared/lib/json/json-value.ts';
import type { Database } from '../../sqlite/index.ts';
import type { DraftScope } from '../drafts/index.ts';
import { packText, unpackText } from '../packed-text.ts';

/** A campaign as it was read before its first change of a day. */
export interface CampaignCopy {
  /** YYYY-MM-DD, a day of the profile's service zone. */
  day: string;
  atMs: number;
  campaign: JsonObject;
}

export interface CampaignCopyRows {
  /** Keeps the copy; does nothing where that day has one. */
  keep(scope: DraftScope, cid: number, copy: Omit<CampaignCopy, 'campaign'> & { body: string }): void;
  has(scope: DraftScope, cid: number, day: string): boolean;
  /** Newest first. A row that cannot be read any more is left out. */
  of(scope: DraftScope, cid: number): CampaignCopy[];
  /** Removes what is older, and the oldest beyond so many, of every profile. */
  prune(limits: { beforeMs: number; max: number }): void;
  /** Removes the copies of a profile, of every account. */
  forget(profileId: string): void;
}

interface CampaignCopyRow {
  day: string;
  atMs: number;
  /** Compressed, in base64; JSON text if an earlier build stored it. */
  body: string;
}

export function createCampaignCopyRows(db: Database): CampaignCopyRows {
  const keep = db.prepare<[DraftScope & CampaignCopyRow & { cid: number }]>(
    `INSERT INTO campaign_copy (profile_id, account, cid, day, at_ms, body)
     VALUES (:profileId, :account, :cid, :day, :atMs, :body) ON CONFLICT DO NOTHING`,
  );
  const of = db.prepare<[DraftScope & { cid: number }], CampaignCopyRow>(
    `SELECT day, at_ms AS atMs, body FROM campaign_copy
     WHERE profile_id = :profileId AND account = :account AND cid = :cid ORDER BY day DESC`,
  );
  const has = db
    .prepare<[DraftScope & { cid: number; day: string }]>(
      `SELECT 1 FROM campaign_copy
       WHERE profile_id = :profileId AND account = :account AND cid = :cid AND day = :day`,
    )
    .pluck();
  const removeOld = db.prepare<[number]>('DELETE FROM campaign_copy WHERE at_ms < ?');
  const removeBeyond = db.prepare<[number]>(
    `DELETE FROM campaign_copy WHERE rowid IN
       (SELECT rowid FROM campaign_copy ORDER BY at_ms DESC, rowid DESC LIMIT -1 OFFSET ?)`,
  );
  const forget = db.prepare<[string]>('DELETE FROM campaign_copy WHERE profile_id = ?');
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
    forget: (profileId) => void forget.run(profileId),
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
