import {
  type CampaignContext,
  type CampaignRow,
  type CampaignType,
  type Settings,
  type StatusCode,
  statusNames,
} from '#shared/contract/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { type Database, readAll, readFirst, readValue, writes } from '../sqlite/database.ts';
import type { CampaignList, CampaignListPage, CampaignListQuery } from './campaign-list.ts';

export type Module = 'campaigns' | 'uploads' | 'xml' | 'search' | 'tasks';

export interface Member {
  uid: number;
  name: string;
  role: 'member' | 'publisher';
  balanceMicros: number;
  mcpMenu: boolean;
  /** Modules of the account (contract §4.3, `svc_whoami`). */
  modules: readonly Module[];
}

/** The payload, and the list row derived from the payload (contract §2.2). */
export interface CampaignRecord {
  payload: JsonObject;
  row: CampaignRow;
  type: number;
}

export interface BackendReader {
  isEmpty(): boolean;
  member(uid: number): Member | null;
  tenant(): CampaignContext;
  list(query: CampaignListQuery): CampaignListPage;
  /** JSON text; null if the campaign does not exist or belongs to another member. */
  payload(uid: number, cid: number): string | null;
  statuses(uid: number, cids: readonly number[]): Map<number, StatusCode>;
  /** True for a campaign that was created as Pending, until it is approved. */
  isUnapproved(cid: number): boolean;
}

export interface BackendWriter {
  addMember(member: Member): void;
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
  const types = readAll(
    db,
    'SELECT code, json FROM campaign_type ORDER BY code',
    ({ code, json }: { code: number; json: string }) => [String(code), JSON.parse(json) as CampaignType],
  );
  const settings = readAll(
    db,
    'SELECT key, json FROM setting ORDER BY key',
    ({ key, json }: { key: string; json: string }) => [key, JSON.parse(json)],
  );
  const payload = readValue<string>(
    db,
    'SELECT json FROM campaign JOIN campaign_payload USING (cid) WHERE cid = ? AND uid = ?',
  );
  const status = readValue<StatusCode>(
    db,
    "SELECT row ->> '$.status' AS status FROM campaign WHERE cid = ? AND uid = ?",
  );
  const unapproved = readValue(db, 'SELECT 1 FROM campaign WHERE cid = ? AND is_unapproved = 1');
  return {
    isEmpty: () => types().length === 0,
    member: readFirst(db, 'SELECT * FROM member WHERE uid = ?', memberOf),
    tenant: () => ({
      types: Object.fromEntries(types()) as CampaignContext['types'],
      settings: Object.fromEntries(settings()) as Settings,
    }),
    list: (query) => list.read(query),
    payload: (uid, cid) => payload(cid, uid),
    statuses(uid, cids) {
      const found = new Map<number, StatusCode>();
      for (const cid of cids) {
        const code = status(cid, uid);
        if (code !== null) found.set(cid, code);
      }
      return found;
    },
    isUnapproved: (cid) => unapproved(cid) !== null,
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
  const member = writes(
    db,
    'INSERT INTO member (uid, name, role, balance_micros, mcp_menu, modules) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const access = writes(
    db,
    'UPDATE member SET mcp_menu = coalesce(?, mcp_menu), modules = coalesce(?, modules) WHERE uid = ?',
  );
  const balance = writes(db, 'UPDATE member SET balance_micros = ? WHERE uid = ?');
  const type = writes(db, 'INSERT INTO campaign_type (code, json) VALUES (?, ?)');
  const setting = writes(db, 'INSERT INTO setting (key, json) VALUES (?, ?)');
  const addRow = writes(
    db,
    'INSERT INTO campaign (cid, uid, type, row, is_unapproved) VALUES (?, ?, ?, ?, ?)',
  );
  const addPayload = writes(db, 'INSERT INTO campaign_payload (json, cid) VALUES (?, ?)');
  const replaceRow = writes(db, 'UPDATE campaign SET uid = ?, type = ?, row = ? WHERE cid = ?');
  const replacePayload = writes(db, 'UPDATE campaign_payload SET json = ? WHERE cid = ?');
  const statusOfRow = writes(
    db,
    `UPDATE campaign SET row = json_set(row, '$.status', @status, '$.status_name', @name) WHERE cid = @cid`,
  );
  const statusOfPayload = writes(
    db,
    `UPDATE campaign_payload SET json = json_set(json, '$.status', @status) WHERE cid = @cid`,
  );
  return {
    addMember: ({ uid, name, role, balanceMicros, mcpMenu, modules }) =>
      member(uid, name, role, balanceMicros, mcpMenu ? 1 : 0, JSON.stringify(modules)),
    setAccess(uid, { mcpMenu, modules }) {
      const menu = mcpMenu === undefined ? null : Number(mcpMenu);
      access(menu, modules === undefined ? null : JSON.stringify(modules), uid);
    },
    setBalance: (uid, balanceMicros) => balance(balanceMicros, uid),
    setTenant({ types, settings }) {
      for (const [code, value] of Object.entries(types)) type(Number(code), JSON.stringify(value));
      for (const [key, value] of Object.entries(settings)) setting(key, JSON.stringify(value));
    },
    addCampaign({ payload, row, type }) {
      addRow(row.cid, row.uid, type, JSON.stringify(row), row.status === pending ? 1 : 0);
      addPayload(JSON.stringify(payload), row.cid);
      list.changed(row.cid);
    },
    replaceCampaign({ payload, row, type }) {
      replaceRow(row.uid, type, JSON.stringify(row), row.cid);
      replacePayload(JSON.stringify(payload), row.cid);
      list.changed(row.cid);
    },
    setStatus(cids, status) {
      for (const cid of cids) {
        // SQLite would store a bound JavaScript number as 1.0.
        const bound = { cid, status: BigInt(status), name: statusNames[status] };
        statusOfRow(bound);
        statusOfPayload(bound);
        list.changed(cid);
      }
    },
  };
}

/** Scopes of publisher keys (contract §5.2). */
export type PublisherScope = 'publisher:xml:read' | 'publisher:search:read';

export interface PublisherKey {
  uid: number;
  scopes: readonly PublisherScope[];
  tids: readonly number[] | null;
  feeds: readonly number[] | null;
}

/** Keys are found by the SHA-256 of their text. Make changes inside a transaction. */
export interface PublisherKeys {
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
  const add = writes(
    db,
    'INSERT INTO publisher_key (hash, uid, scopes, tids, feeds, is_demo, is_revoked) VALUES (?, ?, ?, ?, ?, ?, 0)',
  );
  const countDemo = readValue<number>(db, 'SELECT count(*) FROM publisher_key WHERE is_demo = 1');
  return {
    find: readFirst(
      db,
      'SELECT uid, scopes, tids, feeds FROM publisher_key WHERE hash = ? AND is_revoked = 0',
      keyOf,
    ),
    add(hash, { uid, scopes, tids, feeds, isDemo }) {
      add(hash, uid, JSON.stringify(scopes), listText(tids), listText(feeds), Number(isDemo));
    },
    revoke: writes(db, 'UPDATE publisher_key SET is_revoked = 1 WHERE hash = ?'),
    countDemo: () => countDemo() ?? 0,
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
