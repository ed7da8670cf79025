import type { AccountScope } from '../settings-and-profiles.ts';
import { z } from 'zod';
import {
  type CampaignLabel,
  type CampaignNote,
  labelColors,
  listViewSchema,
  type SavedListView,
} from '#shared/app-api/index.ts';
import { type Database, writes } from '../../sqlite/database.ts';

export interface CampaignNoteRows {
  labels(profileId: string): CampaignLabel[];
  putLabel(profileId: string, label: CampaignLabel): void;
  /** Removes a label, from every campaign too. */
  removeLabel(profileId: string, id: string): void;
  campaigns(scope: AccountScope): CampaignNote[];
  attach(scope: AccountScope, cid: number, labelId: string): void;
  detach(scope: AccountScope, cid: number, labelId: string): void;
  /** An empty note removes it. */
  setNote(scope: AccountScope, cid: number, note: string): void;
  /** Gives what was attached before the profile's account was known to this account. */
  adopt(scope: AccountScope): void;
  /** Removes what is attached to the campaigns of every account of a profile; its labels stay. */
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
  const labels = db.prepare<[string], LabelRow>(
    'SELECT id, name, color FROM campaign_label WHERE profile_id = ? ORDER BY name COLLATE NOCASE, id',
  );
  const putLabel = db.prepare<[LabelRow & { profileId: string }]>(
    `INSERT INTO campaign_label (id, profile_id, name, color) VALUES (:id, :profileId, :name, :color)
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, color = excluded.color`,
  );
  const uses = db.prepare<[AccountScope], { cid: number; labelId: string }>(
    `SELECT cid, label_id AS labelId FROM campaign_label_use
     WHERE profile_id = :profileId AND account = :account ORDER BY cid, label_id`,
  );
  const notes = db.prepare<[AccountScope], { cid: number; note: string }>(
    'SELECT cid, note FROM campaign_note WHERE profile_id = :profileId AND account = :account',
  );
  const attach = db.prepare<[AccountScope & { cid: number; labelId: string }]>(
    `INSERT OR IGNORE INTO campaign_label_use (profile_id, account, cid, label_id)
     VALUES (:profileId, :account, :cid, :labelId)`,
  );
  const detach = db.prepare<[AccountScope & { cid: number; labelId: string }]>(
    `DELETE FROM campaign_label_use
     WHERE profile_id = :profileId AND account = :account AND cid = :cid AND label_id = :labelId`,
  );
  const putNote = db.prepare<[AccountScope & { cid: number; note: string }]>(
    `INSERT INTO campaign_note (profile_id, account, cid, note) VALUES (:profileId, :account, :cid, :note)
     ON CONFLICT (profile_id, account, cid) DO UPDATE SET note = excluded.note`,
  );
  const removeNote = db.prepare<[AccountScope & { cid: number }]>(
    'DELETE FROM campaign_note WHERE profile_id = :profileId AND account = :account AND cid = :cid',
  );
  const adopt = attached.map((table) =>
    db.prepare<[AccountScope]>(
      `UPDATE OR REPLACE ${table} SET account = :account WHERE profile_id = :profileId AND account = ''`,
    ),
  );
  const forgetAttached = attached.map((table) =>
    db.prepare<[string]>(`DELETE FROM ${table} WHERE profile_id = ?`),
  );
  const forgetLabels = db.prepare<[string]>('DELETE FROM campaign_label WHERE profile_id = ?');

  return {
    labels: (profileId) =>
      labels.all(profileId).map(({ color, ...label }) => ({ ...label, color: colorSchema.parse(color) })),
    putLabel: (profileId, label) => void putLabel.run({ ...label, profileId }),
    removeLabel: writes(db, 'DELETE FROM campaign_label WHERE profile_id = ? AND id = ?'),
    campaigns(scope) {
      const found = new Map<number, CampaignNote>();
      const noteOf = (cid: number): CampaignNote => {
        const note = found.get(cid) ?? { cid, labels: [], note: '' };
        found.set(cid, note);
        return note;
      };
      for (const { cid, labelId } of uses.all(scope)) noteOf(cid).labels.push(labelId);
      for (const { cid, note } of notes.all(scope)) noteOf(cid).note = note;
      return [...found.values()].toSorted((left, right) => left.cid - right.cid);
    },
    attach: (scope, cid, labelId) => void attach.run({ ...scope, cid, labelId }),
    detach: (scope, cid, labelId) => void detach.run({ ...scope, cid, labelId }),
    setNote(scope, cid, note) {
      if (note === '') removeNote.run({ ...scope, cid });
      else putNote.run({ ...scope, cid, note });
    },
    adopt(scope) {
      if (scope.account !== '') adopt.forEach((statement) => statement.run(scope));
    },
    forgetCampaigns: (profileId) => forgetAttached.forEach((statement) => statement.run(profileId)),
    forget(profileId) {
      forgetAttached.forEach((statement) => statement.run(profileId));
      forgetLabels.run(profileId);
    },
  };
}

type NewListView = SavedListView & { view: NonNullable<SavedListView['view']> };

/** Saved filters and views of the campaign list. A name is unique within a profile; the services above refuse one that is taken. */
export interface CampaignViewRows {
  /** By name. */
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
  const all = db.prepare<[string], ViewRow>(
    `SELECT id, name, body, saved_at_ms AS savedAtMs FROM campaign_view
     WHERE profile_id = ? ORDER BY name COLLATE NOCASE, id`,
  );
  const put = db.prepare<[ViewRow & { profileId: string }]>(
    `INSERT INTO campaign_view (id, profile_id, name, body, saved_at_ms) VALUES (:id, :profileId, :name, :body, :savedAtMs)
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, body = excluded.body, saved_at_ms = excluded.saved_at_ms`,
  );
  const rename = db.prepare<[string, string, string]>(
    'UPDATE campaign_view SET name = ? WHERE profile_id = ? AND id = ?',
  );
  return {
    all: (profileId) => all.all(profileId).map(viewFromRow),
    put: (profileId, { view, ...row }) => void put.run({ ...row, profileId, body: JSON.stringify(view) }),
    rename: (profileId, { id, name }) => void rename.run(name, profileId, id),
    remove: writes(db, 'DELETE FROM campaign_view WHERE profile_id = ? AND id = ?'),
    forget: writes(db, 'DELETE FROM campaign_view WHERE profile_id = ?'),
  };
}

function viewFromRow({ body, ...row }: ViewRow): SavedListView {
  const parsed = listViewSchema.safeParse(JSON.parse(body));
  return { ...row, view: parsed.success ? parsed.data : null };
}
