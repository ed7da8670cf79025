import {
  type CampaignContext,
  type CampaignRow,
  type CampaignType,
  type Settings,
  type StatusCode,
  statusNames,
} from '#shared/contract/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { type Database, readColumn, readRow, writes } from '../sqlite/database.ts';
import type { CampaignList, CampaignListPage, CampaignListQuery } from './campaign-list.ts';

export type Module = 'campaigns' | 'uploads' | 'xml' | 'search' | 'tasks';

export interface Member {
  uid: number;
  name: string;
  role: 'member' | 'publisher';
  balanceMicros: number;
  /** True if the member's menu has the remote tools. */
  mcpMenu: boolean;
  /** The modules that it may use through the remote tools (contract §4.3, `svc_whoami`). */
  modules: readonly Module[];
}

/** A stored campaign: the complete payload, and the list row made from it (contract §2.2). */
export interface CampaignRecord {
  payload: JsonObject;
  row: CampaignRow;
  type: number;
}

export interface BackendReader {
  /** True until demo data is made. */
  isEmpty(): boolean;
  member(uid: number): Member | null;
  tenant(): CampaignContext;
  list(query: CampaignListQuery): CampaignListPage;
  /** The complete campaign as JSON text; null if it is absent or another member's. */
  payload(uid: number, cid: number): string | null;
  /** The status of each of these campaigns that the member owns. */
  statuses(uid: number, cids: readonly number[]): Map<number, StatusCode>;
  /** True if the campaign arrived as Pending and was not approved since, whatever its current status. */
  isUnapproved(cid: number): boolean;
}

/** Changes the service's data; call inside a transaction. */
export interface BackendWriter {
  addMember(member: Member): void;
  /** Changes what a member may do through the remote tools, at once. */
  setAccess(uid: number, access: Partial<Pick<Member, 'mcpMenu' | 'modules'>>): void;
  setBalance(uid: number, balanceMicros: number): void;
  setTenant(tenant: CampaignContext): void;
  addCampaign(record: CampaignRecord): void;
  replaceCampaign(record: CampaignRecord): void;
  setStatus(cids: readonly number[], status: StatusCode): void;
}

interface MemberRow {
  uid: number;
  name: string;
  role: Member['role'];
  balance_micros: number;
  mcp_menu: number;
  modules: string;
}

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
    member: (uid) => readRow(member.get(uid), memberOf),
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

const pending = 0;

export function createBackendWriter(db: Database, list: Pick<CampaignList, 'changed'>): BackendWriter {
  const member = db.prepare(
    'INSERT INTO member (uid, name, role, balance_micros, mcp_menu, modules) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const access = db.prepare(
    'UPDATE member SET mcp_menu = coalesce(?, mcp_menu), modules = coalesce(?, modules) WHERE uid = ?',
  );
  const balance = db.prepare('UPDATE member SET balance_micros = ? WHERE uid = ?');
  const type = db.prepare('INSERT INTO campaign_type (code, json) VALUES (?, ?)');
  const setting = db.prepare('INSERT INTO setting (key, json) VALUES (?, ?)');
  const addRow = db.prepare(
    'INSERT INTO campaign (cid, uid, type, row, is_unapproved) VALUES (?, ?, ?, ?, ?)',
  );
  const addPayload = db.prepare('INSERT INTO campaign_payload (json, cid) VALUES (?, ?)');
  const replaceRow = db.prepare('UPDATE campaign SET uid = ?, type = ?, row = ? WHERE cid = ?');
  const replacePayload = db.prepare('UPDATE campaign_payload SET json = ? WHERE cid = ?');
  const statusOfRow = db.prepare(`
    UPDATE campaign SET row = json_set(row, '$.status', @status, '$.status_name', @name) WHERE cid = @cid`);
  const statusOfPayload = db.prepare(
    `UPDATE campaign_payload SET json = json_set(json, '$.status', @status) WHERE cid = @cid`,
  );
  return {
    addMember: ({ uid, name, role, balanceMicros, mcpMenu, modules }) =>
      void member.run(uid, name, role, balanceMicros, mcpMenu ? 1 : 0, JSON.stringify(modules)),
    setAccess(uid, { mcpMenu, modules }) {
      const menu = mcpMenu === undefined ? null : Number(mcpMenu);
      access.run(menu, modules === undefined ? null : JSON.stringify(modules), uid);
    },
    setBalance: (uid, balanceMicros) => void balance.run(balanceMicros, uid),
    setTenant({ types, settings }) {
      for (const [code, value] of Object.entries(types)) type.run(Number(code), JSON.stringify(value));
      for (const [key, value] of Object.entries(settings)) setting.run(key, JSON.stringify(value));
    },
    addCampaign({ payload, row, type }) {
      addRow.run(row.cid, row.uid, type, JSON.stringify(row), row.status === pending ? 1 : 0);
      addPayload.run(JSON.stringify(payload), row.cid);
      list.changed(row.cid);
    },
    replaceCampaign({ payload, row, type }) {
      replaceRow.run(row.uid, type, JSON.stringify(row), row.cid);
      replacePayload.run(JSON.stringify(payload), row.cid);
      list.changed(row.cid);
    },
    setStatus(cids, status) {
      for (const cid of cids) {
        // SQLite would keep a bound number as 1.0: in JSON the status is an integer.
        const bound = { cid, status: BigInt(status), name: statusNames[status] };
        statusOfRow.run(bound);
        statusOfPayload.run(bound);
        list.changed(cid);
      }
    },
  };
}

/** The scope of a publisher key (contract §5.2). */
export type PublisherScope = 'publisher:xml:read' | 'publisher:search:read';

/** A publisher key as it is stored: never its text. */
export interface PublisherKey {
  /** The account of the statistics that it reads. */
  uid: number;
  scopes: readonly PublisherScope[];
  /** The only TIDs that it may read; null for all of the owner's. */
  tids: readonly number[] | null;
  /** The only feeds that it may read; null for all of the owner's. */
  feeds: readonly number[] | null;
}

/** The publisher keys of one tenant, by the SHA-256 of their text. What changes them goes inside a transaction. */
export interface PublisherKeys {
  /** The living key; null when it is unknown or revoked. */
  find(hash: string): PublisherKey | null;
  add(hash: string, key: PublisherKey & { isDemo: boolean }): void;
  revoke(hash: string): void;
  countDemo(): number;
  removeDemo(): void;
}

interface KeyRow {
  uid: number;
  scopes: string;
  tids: string | null;
  feeds: string | null;
}

export function createPublisherKeys(db: Database): PublisherKeys {
  const find = db.prepare<[string], KeyRow>(
    'SELECT uid, scopes, tids, feeds FROM publisher_key WHERE hash = ? AND is_revoked = 0',
  );
  const add = db.prepare(
    'INSERT INTO publisher_key (hash, uid, scopes, tids, feeds, is_demo, is_revoked) VALUES (?, ?, ?, ?, ?, ?, 0)',
  );
  const countDemo = readColumn<[], number>(db, 'SELECT count(*) FROM publisher_key WHERE is_demo = 1');
  return {
    find: (hash) => readRow(find.get(hash), keyOf),
    add(hash, { uid, scopes, tids, feeds, isDemo }) {
      add.run(hash, uid, JSON.stringify(scopes), listText(tids), listText(feeds), isDemo ? 1 : 0);
    },
    revoke: writes(db, 'UPDATE publisher_key SET is_revoked = 1 WHERE hash = ?'),
    countDemo: () => countDemo.get() ?? 0,
    removeDemo: writes(db, 'DELETE FROM publisher_key WHERE is_demo = 1'),
  };
}

function keyOf({ uid, scopes, tids, feeds }: KeyRow): PublisherKey {
  return {
    uid,
    scopes: JSON.parse(scopes) as PublisherScope[],
    tids: tids === null ? null : (JSON.parse(tids) as number[]),
    feeds: feeds === null ? null : (JSON.parse(feeds) as number[]),
  };
}

function listText(list: readonly number[] | null): string | null {
  return list === null ? null : JSON.stringify(list);
}
