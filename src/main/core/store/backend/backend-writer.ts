import { statusNames } from '#shared/contract/index.ts';
import type { Database } from '../sqlite/index.ts';
import { fold } from './fold.ts';
import type { BackendWriter, CampaignRecord } from './types.ts';

/** What a campaign is until it is approved; no member can approve it (contract §3). */
const pending = 0;

/** The list's columns, in the order in which {@link columnsOf} gives them. */
const columns = [
  'uid',
  'type',
  'status',
  'name_folded',
  'type_name',
  'website',
  'geo',
  'payout',
  'd_revenue',
  't_revenue',
  'daily_budget',
  'total_budget',
  'bid_control_count',
  'status_name',
  'row',
];

/** Writes through one connection. */
export function createBackendWriter(db: Database): BackendWriter {
  const member = db.prepare(
    'INSERT INTO member (uid, name, role, balance_micros, mcp_menu, modules) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const access = db.prepare(
    'UPDATE member SET mcp_menu = coalesce(?, mcp_menu), modules = coalesce(?, modules) WHERE uid = ?',
  );
  const type = db.prepare('INSERT INTO campaign_type (code, json) VALUES (?, ?)');
  const setting = db.prepare('INSERT INTO setting (key, json) VALUES (?, ?)');
  const marks = columns.map(() => '?').join(', ');
  const addRow = db.prepare(`INSERT INTO campaign (${columns.join(', ')}, cid) VALUES (${marks}, ?)`);
  const addUnapproved = db.prepare('INSERT INTO campaign_unapproved (cid) VALUES (?)');
  const addPayload = db.prepare('INSERT INTO campaign_payload (json, cid) VALUES (?, ?)');
  const replaceRow = db.prepare(
    `UPDATE campaign SET ${columns.map((name) => `${name} = ?`).join(', ')} WHERE cid = ?`,
  );
  const replacePayload = db.prepare('UPDATE campaign_payload SET json = ? WHERE cid = ?');
  const listIndexes = db.prepare(
    "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'campaign' AND sql IS NOT NULL",
  );
  const settleNames = db.prepare("INSERT INTO campaign_name (campaign_name) VALUES ('optimize')");
  const statusOfRow = db.prepare(`
    UPDATE campaign SET status = @status, status_name = @name,
      row = json_set(row, '$.status', @status, '$.status_name', @name) WHERE cid = @cid`);
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
    setTenant({ types, settings }) {
      for (const [code, value] of Object.entries(types)) type.run(Number(code), JSON.stringify(value));
      for (const [key, value] of Object.entries(settings)) setting.run(key, JSON.stringify(value));
    },
    addCampaign(record) {
      addRow.run(...columnsOf(record), record.row.cid);
      addPayload.run(JSON.stringify(record.payload), record.row.cid);
      if (record.row.status === pending) addUnapproved.run(record.row.cid);
    },
    inBulk(work) {
      const indexes = listIndexes.all() as { name: string; sql: string }[];
      for (const { name } of indexes) db.exec(`DROP INDEX ${name}`);
      work();
      for (const { sql } of indexes) db.exec(sql);
      settleNames.run();
    },
    replaceCampaign(record) {
      replaceRow.run(...columnsOf(record), record.row.cid);
      replacePayload.run(JSON.stringify(record.payload), record.row.cid);
    },
    setStatus(cids, status) {
      for (const cid of cids) {
        // SQLite would keep a bound number as 1.0: in JSON the status is an integer.
        const bound = { cid, status: BigInt(status), name: statusNames[status] };
        statusOfRow.run(bound);
        statusOfPayload.run(bound);
      }
    },
  };
}

function columnsOf({ row, type }: CampaignRecord): (string | number)[] {
  return [
    row.uid,
    type,
    row.status,
    fold(row.name),
    row.type_name,
    row.website,
    row.geo.join(','),
    row.payout,
    row.d_revenue,
    row.t_revenue,
    row.daily_budget,
    row.total_budget,
    row.bid_control_count,
    row.status_name,
    JSON.stringify(row),
  ];
}
