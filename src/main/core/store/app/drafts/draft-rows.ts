import { type FieldDraft, fieldDraftSchema } from '#shared/drafts/index.ts';
import type { Database } from '../../sqlite/index.ts';
import { jsonOrNull } from '#shared/lib/json/json-value.ts';

/** Whose drafts: campaigns of another account of the same profile are other campaigns. */
export interface DraftScope {
  profileId: string;
  account: string;
}

/** The draft of one field. */
export interface DraftedField {
  cid: number;
  field: string;
  draft: FieldDraft;
}

/** A field with the draft to store, or null to remove the one that is there. */
export interface DraftChange {
  cid: number;
  field: string;
  draft: FieldDraft | null;
}

export interface DraftReader {
  /** In the order in which they were first drafted. A row that cannot be read any more is left out. */
  all(scope: DraftScope): DraftedField[];
  of(scope: DraftScope, cid: number): DraftedField[];
  field(scope: DraftScope, cid: number, field: string): FieldDraft | null;
  /** True if something is drafted, even if it cannot be read. */
  has(scope: DraftScope, cid: number): boolean;
}

export interface DraftWriter {
  put(scope: DraftScope, change: DraftChange): void;
  remove(scope: DraftScope, cid: number): void;
}

interface DraftRow {
  cid: number;
  field: string;
  body: string;
}

/** The drafts of fields, as they are now. */
export function createDraftRows(db: Database): DraftReader & DraftWriter {
  const ofScope = 'profile_id = :profileId AND account = :account';
  const select = `SELECT cid, field, body FROM draft WHERE ${ofScope}`;
  const all = db.prepare<[DraftScope], DraftRow>(`${select} ORDER BY id`);
  const of = db.prepare<[DraftScope & { cid: number }], DraftRow>(`${select} AND cid = :cid ORDER BY id`);
  const one = db.prepare<[DraftScope & { cid: number; field: string }], DraftRow>(
    `${select} AND cid = :cid AND field = :field`,
  );
  const has = db
    .prepare<[DraftScope & { cid: number }], number>(
      `SELECT EXISTS (SELECT 1 FROM draft WHERE ${ofScope} AND cid = :cid)`,
    )
    .pluck();
  const put = db.prepare<[DraftScope & DraftRow]>(
    `INSERT INTO draft (profile_id, account, cid, field, body) VALUES (:profileId, :account, :cid, :field, :body)
     ON CONFLICT (profile_id, account, cid, field) DO UPDATE SET body = excluded.body`,
  );
  const remove = db.prepare<[DraftScope & { cid: number }]>(
    `DELETE FROM draft WHERE ${ofScope} AND cid = :cid`,
  );
  const removeField = db.prepare<[DraftScope & { cid: number; field: string }]>(
    `DELETE FROM draft WHERE ${ofScope} AND cid = :cid AND field = :field`,
  );
  return {
    all: (scope) => all.all(scope).flatMap(fromRow),
    of: (scope, cid) => of.all({ ...scope, cid }).flatMap(fromRow),
    field: (scope, cid, field) => draftIn(one.get({ ...scope, cid, field })?.body ?? null),
    has: (scope, cid) => has.get({ ...scope, cid }) === 1,
    put(scope, { cid, field, draft }) {
      if (draft === null) removeField.run({ ...scope, cid, field });
      else put.run({ ...scope, cid, field, body: JSON.stringify(draft) });
    },
    remove: (scope, cid) => void remove.run({ ...scope, cid }),
  };
}

function fromRow({ cid, field, body }: DraftRow): DraftedField[] {
  const draft = draftIn(body);
  return draft === null ? [] : [{ cid, field, draft }];
}

/** Reads a stored draft; null for none, and for one of another build that cannot be read. */
export function draftIn(body: string | null): FieldDraft | null {
  if (body === null) return null;
  const parsed = fieldDraftSchema.safeParse(jsonOrNull(body));
  return parsed.success ? parsed.data : null;
}
