import { statusNames } from '#shared/contract/index.ts';
import type { Database } from '../sqlite/index.ts';
import type { CampaignList } from './campaign-list.ts';
import type { BackendWriter } from './types.ts';

/** The status of a campaign until it is approved; no member can approve it (contract §3). */
const pending = 0;

/** Writes through one connection and notes each campaign that it changes for the list. */
export function createBackendWriter(db: Database, list: Pick<CampaignList, 'changed'>): BackendWriter {
  const member = db.prepare(
    'INSERT INTO member (uid, name, role, balance_micros, mcp_menu, modules) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const access = db.prepare(
    'UPDATE member SET mcp_menu = coalesce(?, mcp_menu), modules = coalesce(?, modules) WHERE uid = ?',
  );
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
