import { z } from 'zod';
import {
  reportExclusionSchema,
  reportQuerySchema,
  reportValueSchema,
  type ReportView,
} from '#shared/app-api/index.ts';
import type { Database } from '../../sqlite/index.ts';

export interface ViewReader {
  /** In the order that a person gave them. */
  all(profileId: string): ReportView[];
}

export interface ViewWriter {
  /** Adds a view at the end. */
  add(profileId: string, view: NewView): void;
  overwrite(profileId: string, change: Pick<NewView, 'id' | 'query' | 'savedAtMs'>): void;
  rename(profileId: string, change: Pick<NewView, 'id' | 'name'>): void;
  remove(profileId: string, id: string): void;
  /** Sets the order of the views; `ids` names all of them. */
  reorder(profileId: string, ids: readonly string[]): void;
  /** Opens this view first and no other; null for none. */
  setStart(profileId: string, id: string | null): void;
  /** Removes every view of the profile. */
  forget(profileId: string): void;
}

export interface NewView {
  id: string;
  name: string;
  query: NonNullable<ReportView['query']>;
  savedAtMs: number;
}

interface ViewRow {
  id: string;
  name: string;
  isStart: number;
  query: string;
  savedAtMs: number;
}

/** Saved views of reports. A name is unique within a profile; the services above refuse one that is taken. */
export function createViewRows(db: Database): ViewReader & ViewWriter {
  const all = db.prepare<[string], ViewRow>(
    `SELECT id, name, is_start AS isStart, query, saved_at_ms AS savedAtMs
     FROM report_view WHERE profile_id = ? ORDER BY position, id`,
  );
  const add = db.prepare<[Omit<ViewRow, 'isStart'> & { profileId: string }]>(
    `INSERT INTO report_view (id, profile_id, name, position, is_start, query, saved_at_ms)
     SELECT :id, :profileId, :name, coalesce(max(position), 0) + 1, 0, :query, :savedAtMs
     FROM report_view WHERE profile_id = :profileId`,
  );
  const overwrite = db.prepare<[string, number, string, string]>(
    'UPDATE report_view SET query = ?, saved_at_ms = ? WHERE profile_id = ? AND id = ?',
  );
  const rename = db.prepare<[string, string, string]>(
    'UPDATE report_view SET name = ? WHERE profile_id = ? AND id = ?',
  );
  const remove = db.prepare<[string, string]>('DELETE FROM report_view WHERE profile_id = ? AND id = ?');
  const place = db.prepare<[number, string, string]>(
    'UPDATE report_view SET position = ? WHERE profile_id = ? AND id = ?',
  );
  const endStart = db.prepare<[string]>('UPDATE report_view SET is_start = 0 WHERE profile_id = ?');
  const start = db.prepare<[string, string]>(
    'UPDATE report_view SET is_start = 1 WHERE profile_id = ? AND id = ?',
  );
  const forget = db.prepare<[string]>('DELETE FROM report_view WHERE profile_id = ?');
  return {
    all: (profileId) => all.all(profileId).map(fromRow),
    add: (profileId, view) => void add.run({ ...view, profileId, query: JSON.stringify(view.query) }),
    overwrite(profileId, { id, query, savedAtMs }) {
      overwrite.run(JSON.stringify(query), savedAtMs, profileId, id);
    },
    rename: (profileId, { id, name }) => void rename.run(name, profileId, id),
    remove: (profileId, id) => void remove.run(profileId, id),
    reorder: (profileId, ids) => ids.forEach((id, at) => place.run(at + 1, profileId, id)),
    setStart(profileId, id) {
      endStart.run(profileId);
      if (id !== null) start.run(profileId, id);
    },
    forget: (profileId) => void forget.run(profileId),
  };
}

/** Saved views may exclude single values instead of rows by their path. */
const savedQuerySchema = reportQuerySchema.extend({
  excluded: z
    .array(z.union([reportExclusionSchema, reportValueSchema.transform((value) => [value])]))
    .max(1_000),
});

function fromRow({ isStart, query, ...row }: ViewRow): ReportView {
  const parsed = savedQuerySchema.safeParse(JSON.parse(query));
  return { ...row, start: isStart === 1, query: parsed.success ? parsed.data : null };
}
