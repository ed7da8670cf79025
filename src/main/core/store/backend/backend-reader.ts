import type { CampaignContext, CampaignType, Settings, StatusCode } from '#shared/contract/index.ts';
import type { Database } from '../sqlite/index.ts';
import type { CampaignList } from './campaign-list.ts';
import type { BackendReader, Member } from './types.ts';

interface MemberRow {
  uid: number;
  name: string;
  role: Member['role'];
  balance_micros: number;
  mcp_menu: number;
  modules: string;
}

/** Reads through one connection. */
export function createBackendReader(db: Database, list: CampaignList): BackendReader {
  const member = db.prepare<[number], MemberRow>('SELECT * FROM member WHERE uid = ?');
  const types = db.prepare<[], { code: number; json: string }>(
    'SELECT code, json FROM campaign_type ORDER BY code',
  );
  const settings = db.prepare<[], { key: string; json: string }>(
    'SELECT key, json FROM setting ORDER BY key',
  );
  const payload = db.prepare<[number, number], { json: string }>(
    'SELECT json FROM campaign JOIN campaign_payload USING (cid) WHERE cid = ? AND uid = ?',
  );
  const status = db.prepare<[number, number], { status: StatusCode }>(
    "SELECT row ->> '$.status' AS status FROM campaign WHERE cid = ? AND uid = ?",
  );
  const unapproved = db.prepare<[number]>('SELECT 1 FROM campaign WHERE cid = ? AND is_unapproved = 1');
  return {
    isEmpty: () => types.get() === undefined,
    member(uid) {
      const row = member.get(uid);
      return row === undefined ? null : memberOf(row);
    },
    tenant() {
      const typeEntries = types
        .all()
        .map(({ code, json }) => [String(code), JSON.parse(json) as CampaignType]);
      const settingEntries = settings.all().map(({ key, json }) => [key, JSON.parse(json)]);
      return {
        types: Object.fromEntries(typeEntries) as CampaignContext['types'],
        settings: Object.fromEntries(settingEntries) as Settings,
      };
    },
    list: (query) => list.read(query),
    payload: (uid, cid) => payload.get(cid, uid)?.json ?? null,
    statuses(uid, cids) {
      const found = new Map<number, StatusCode>();
      for (const cid of cids) {
        const row = status.get(cid, uid);
        if (row !== undefined) found.set(cid, row.status);
      }
      return found;
    },
    isUnapproved: (cid) => unapproved.get(cid) !== undefined,
  };
}

function memberOf(row: MemberRow): Member {
  const { uid, name, role } = row;
  return {
    uid,
    name,
    role,
    balanceMicros: row.balance_micros,
    mcpMenu: row.mcp_menu === 1,
    modules: JSON.parse(row.modules) as Member['modules'],
  };
}
