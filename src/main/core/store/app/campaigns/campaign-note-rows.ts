import { z } from 'zod';
import {
  type CampaignLabel,
  type CampaignNote,
  labelColors,
  listViewSchema,
  type SavedListView,
} from '#shared/app-api/index.ts';
import { type Database, readAll, writes } from '../../sqlite/database.ts';

/** Identifies an account within a profile. Equal campaign ids of two accounts are different campaigns. */
export interface AccountScope {
  profileId: string;
  account: string;
}

export interface CampaignNoteRows {
  labels(profileId: string): CampaignLabel[];
  putLabel(profileId: string, label: CampaignLabel): void;
  removeLabel(profileId: string, id: string): void;
  campaigns(scope: AccountScope): CampaignNote[];
  attach(scope: AccountScope, cid: number, labelId: string): void;
  detach(scope: AccountScope, cid: number, labelId: string): void;
  setNote(scope: AccountScope, cid: number, note: string): void;
  adopt(scope: AccountScope): void;
  forgetCampaigns(profileId: string): void;
  forget(profileId: string): void;
}

interface LabelRow {
  id: string;
  name: string;
  color: string;
}

const colorSchema = z.enum(labelColors).catch('grey');

const attached = ['campaign_label_use', 'campaign_note'] as const;

export function createCampaignNoteRows(db: Database): CampaignNoteRows {
  const ofScope = 'profile_id = :profileId AND account = :account';
  const putLabel = writes(
    db,
    `INSERT INTO campaign_label (id, profile_id, name, color) VALUES (:id, :profileId, :name, :color)
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, color = excluded.color`,
  );
  const uses = readAll<{ cid: number; labelId: string }>(
    db,
    `SELECT cid, label_id AS labelId FROM campaign_label_use WHERE ${ofScope} ORDER BY cid, label_id`,
  );
  const notes = readAll<{ cid: number; note: string }>(
    db,
    `SELECT cid, note FROM campaign_note WHERE ${ofScope}`,
  );
  const attach = writes(
    db,
    `INSERT OR IGNORE INTO campaign_label_use (profile_id, account, cid, label_id)
     VALUES (:profileId, :account, :cid, :labelId)`,
  );
  const detach = writes(
    db,
    `DELETE FROM campaign_label_use WHERE ${ofScope} AND cid = :cid AND label_id = :labelId`,
  );
  const putNote = writes(
    db,
    `INSERT INTO campaign_note (profile_id, account, cid, note) VALUES (:profileId, :account, :cid, :note)
     ON CONFLICT (profile_id, account, cid) DO UPDATE SET note = excluded.note`,
  );
  const removeNote = writes(db, `DELETE FROM campaign_note WHERE ${ofScope} AND cid = :cid`);
  const adopt = attached.map((table) =>
    writes(
      db,
      `UPDATE OR REPLACE ${table} SET account = :account WHERE profile_id = :profileId AND account = ''`,
    ),
  );
  const forgetAttached = attached.map((table) => writes(db, `DELETE FROM ${table} WHERE profile_id = ?`));
  const forgetLabels = writes(db, 'DELETE FROM campaign_label WHERE profile_id = ?');
  const forgetCampaigns = (profileId: string): void => forgetAttached.forEach((forget) => forget(profileId));

  return {
    labels: readAll(
      db,
      'SELECT id, name, color FROM campaign_label WHERE profile_id = ? ORDER BY name COLLATE NOCASE, id',
      ({ color, ...label }: LabelRow): CampaignLabel => ({ ...label, color: colorSchema.parse(color) }),
    ),
    putLabel: (profileId, label) => putLabel({ ...label, profileId }),
    removeLabel: writes(db, 'DELETE FROM campaign_label WHERE profile_id = ? AND id = ?'),
    campaigns(scope) {
      const found = new Map<number, CampaignNote>();
      const noteOf = (cid: number): CampaignNote => {
        const note = found.get(cid) ?? { cid, labels: [], note: '' };
        found.set(cid, note);
        return note;
      };
      for (const { cid, labelId } of uses(scope)) noteOf(cid).labels.push(labelId);
      for (const { cid, note } of notes(scope)) noteOf(cid).note = note;
      return [...found.values()].toSorted((left, right) => left.cid - right.cid);
    },
    attach: (scope, cid, labelId) => attach({ ...scope, cid, labelId }),
    detach: (scope, cid, labelId) => detach({ ...scope, cid, labelId }),
    setNote(scope, cid, note) {
      if (note === '') removeNote({ ...scope, cid });
      else putNote({ ...scope, cid, note });
    },
    adopt(scope) {
      if (scope.account !== '') adopt.forEach((assign) => assign(scope));
    },
    forgetCampaigns,
    forget(profileId) {
      forgetCampaigns(profileId);
      forgetLabels(profileId);
    },
  };
}

type NewListView = SavedListView & { view: NonNullable<SavedListView['view']> };

/** Names must be unique; the calling services check that. */
export interface CampaignViewRows {
  all(profileId: string): SavedListView[];
  put(profileId: string, view: NewListView): void;
  rename(profileId: string, change: Pick<SavedListView, 'id' | 'name'>): void;
  remove(profileId: string, id: string): void;
  forget(profileId: string): void;
}

interface ViewRow {
  id: string;
  name: string;
  body: string;
  savedAtMs: number;
}

export function createCampaignViewRows(db: Database): CampaignViewRows {
  const put = writes(
    db,
    `INSERT INTO campaign_view (id, profile_id, name, body, saved_at_ms) VALUES (:id, :profileId, :name, :body, :savedAtMs)
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, body = excluded.body, saved_at_ms = excluded.saved_at_ms`,
  );
  const rename = writes(db, 'UPDATE campaign_view SET name = ? WHERE profile_id = ? AND id = ?');
  return {
    all: readAll(
      db,
      `SELECT id, name, body, saved_at_ms AS savedAtMs FROM campaign_view
       WHERE profile_id = ? ORDER BY name COLLATE NOCASE, id`,
      viewFromRow,
    ),
    put: (profileId, { view, ...row }) => put({ ...row, profileId, body: JSON.stringify(view) }),
    rename: (profileId, { id, name }) => rename(name, profileId, id),
    remove: writes(db, 'DELETE FROM campaign_view WHERE profile_id = ? AND id = ?'),
    forget: writes(db, 'DELETE FROM campaign_view WHERE profile_id = ?'),
  };
}

function viewFromRow({ body, ...row }: ViewRow): SavedListView {
  const parsed = listViewSchema.safeParse(JSON.parse(body));
  return { ...row, view: parsed.success ? parsed.data : null };
}
