import { listViewSchema, type SavedListView } from '#shared/app-api/index.ts';
import type { Database } from '../sqlite/index.ts';

/** A view as it is saved. */
export type NewListView = SavedListView & { view: NonNullable<SavedListView['view']> };

/** Saved filters and views of the campaign list. A name is unique within a profile; the services above refuse one that is taken. */
export interface CampaignViewRows {
  /** By name. */
  all(profileId: string): SavedListView[];
  /** Adds a view, or replaces the one with its id. */
  put(profileId: string, view: NewListView): void;
  rename(profileId: string, change: Pick<SavedListView, 'id' | 'name'>): void;
  remove(profileId: string, id: string): void;
  /** Removes every view of the profile. */
  forget(profileId: string): void;
}

interface Row {
  id: string;
  name: string;
  body: string;
  savedAtMs: number;
}

export function createCampaignViewRows(db: Database): CampaignViewRows {
  const all = db.prepare<[string], Row>(
    `SELECT id, name, body, saved_at_ms AS savedAtMs FROM campaign_view
     WHERE profile_id = ? ORDER BY name COLLATE NOCASE, id`,
  );
  const put = db.prepare<[Row & { profileId: string }]>(
    `INSERT INTO campaign_view (id, profile_id, name, body, saved_at_ms) VALUES (:id, :profileId, :name, :body, :savedAtMs)
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, body = excluded.body, saved_at_ms = excluded.saved_at_ms`,
  );
  const rename = db.prepare<[string, string, string]>(
    'UPDATE campaign_view SET name = ? WHERE profile_id = ? AND id = ?',
  );
  const remove = db.prepare<[string, string]>('DELETE FROM campaign_view WHERE profile_id = ? AND id = ?');
  const forget = db.prepare<[string]>('DELETE FROM campaign_view WHERE profile_id = ?');
  return {
    all: (profileId) => all.all(profileId).map(fromRow),
    put: (profileId, { view, ...row }) => void put.run({ ...row, profileId, body: JSON.stringify(view) }),
    rename: (profileId, { id, name }) => void rename.run(name, profileId, id),
    remove: (profileId, id) => void remove.run(profileId, id),
    forget: (profileId) => void forget.run(profileId),
  };
}

function fromRow({ body, ...row }: Row): SavedListView {
  const parsed = listViewSchema.safeParse(JSON.parse(body));
  return { ...row, view: parsed.success ? parsed.data : null };
}
