import type { AccountScope } from './campaigns/campaign-note-rows.ts';
import { type Database, readAll, readFirst, readValue, readValues, writes } from '../sqlite/database.ts';
import { type FieldDraft, fieldDraftSchema } from '#shared/drafts/index.ts';
import { jsonOrNull } from '#shared/lib/json/json-value.ts';

export interface DraftTables {
  fields: DraftReader & DraftWriter;
  steps: DraftStepReader & DraftStepWriter;
  reviews: DraftReviewReader & DraftReviewWriter;
  adopt(profileId: string, account: string): void;
  forget(profileId: string): void;
}

/** `draft` must be last: if moving the rows is interrupted, the remaining rows of `draft` make the next call move the rest. */
const accountTables = ['draft_step', 'draft_review', 'draft'] as const;

export function createDraftTables(db: Database): DraftTables {
  const isUnbound = readValue<number>(
    db,
    "SELECT EXISTS (SELECT 1 FROM draft WHERE profile_id = ? AND account = '')",
  );
  const adopt = accountTables.map((table) =>
    writes(db, `UPDATE OR REPLACE ${table} SET account = ? WHERE profile_id = ? AND account = ''`),
  );
  const forget = accountTables.map((table) => writes(db, `DELETE FROM ${table} WHERE profile_id = ?`));
  return {
    fields: createDraftRows(db),
    steps: createDraftStepRows(db),
    reviews: createDraftReviewRows(db),
    adopt(profileId, account) {
      if (isUnbound(profileId) === 1) adopt.forEach((assign) => assign(account, profileId));
    },
    forget: (profileId) => forget.forEach((remove) => remove(profileId)),
  };
}

const ofScope = 'profile_id = :profileId AND account = :account';

export interface DraftReview {
  cid: number;
  proposalId: string;
  returned: { atMs: number; reason: string } | null;
}

interface DraftReviewReader {
  all(scope: AccountScope): DraftReview[];
  of(scope: AccountScope, cid: number): DraftReview | null;
  proposalIds(): string[];
  ofProposal(proposalId: string): (AccountScope & DraftReview)[];
}

interface DraftReviewWriter {
  put(scope: AccountScope, review: DraftReview): void;
  remove(scope: AccountScope, cid: number): void;
}

interface DraftReviewRow extends AccountScope, Omit<DraftReview, 'returned'> {
  atMs: number | null;
  reason: string | null;
}

function createDraftReviewRows(db: Database): DraftReviewReader & DraftReviewWriter {
  const select = `SELECT profile_id AS profileId, account, cid, proposal_id AS proposalId,
    returned_at_ms AS atMs, returned_reason AS reason FROM draft_review`;
  const of = readFirst(db, `${select} WHERE ${ofScope} AND cid = :cid`, fromRow);
  const put = writes(
    db,
    `INSERT INTO draft_review (profile_id, account, cid, proposal_id, returned_at_ms, returned_reason)
     VALUES (:profileId, :account, :cid, :proposalId, :atMs, :reason)
     ON CONFLICT (profile_id, account, cid) DO UPDATE SET proposal_id = excluded.proposal_id,
       returned_at_ms = excluded.returned_at_ms,
       returned_reason = excluded.returned_reason`,
  );
  const remove = writes(db, `DELETE FROM draft_review WHERE ${ofScope} AND cid = :cid`);
  return {
    all: readAll(db, `${select} WHERE ${ofScope}`, fromRow),
    of: (scope, cid) => of({ ...scope, cid }),
    proposalIds: readValues<string>(
      db,
      'SELECT DISTINCT proposal_id FROM draft_review WHERE returned_at_ms IS NULL',
    ),
    ofProposal: readAll(db, `${select} WHERE proposal_id = ?`, fromRow),
    put(scope, { returned, ...review }) {
      put({ ...scope, ...review, ...(returned ?? { atMs: null, reason: null }) });
    },
    remove: (scope, cid) => remove({ ...scope, cid }),
  };
}

function fromRow({ atMs, reason, ...review }: DraftReviewRow): AccountScope & DraftReview {
  return { ...review, returned: atMs === null || reason === null ? null : { atMs, reason } };
}

const maxSteps = 200;

interface DraftStep {
  id: number;
  title: string;
  changes: DraftChange[];
}

interface DraftStepReader {
  nextTitle(scope: AccountScope, which: 'undo' | 'redo'): string | null;
  newest(scope: AccountScope): number | null;
  next(scope: AccountScope, which: 'undo' | 'redo'): DraftStep | null;
}

interface DraftStepWriter {
  /** Returns `null` and changes nothing if the newest step has other fields or if a step is undone. */
  extend(scope: AccountScope, changes: readonly StepChange[]): number | null;
  add(scope: AccountScope, step: { title: string; changes: readonly StepChange[] }): number;
  mark(id: number, isUndone: boolean): void;
  dropCampaign(scope: AccountScope, cid: number): void;
}

interface StepChange {
  cid: number;
  field: string;
  before: FieldDraft | null;
  after: FieldDraft | null;
}

interface ChangeRow {
  cid: number;
  field: string;
  body: string | null;
}

function createDraftStepRows(db: Database): DraftStepReader & DraftStepWriter {
  const steps = {
    undo: readFirst<Omit<DraftStep, 'changes'>>(
      db,
      `SELECT id, title FROM draft_step WHERE ${ofScope} AND is_undone = 0 ORDER BY id DESC LIMIT 1`,
    ),
    redo: readFirst<Omit<DraftStep, 'changes'>>(
      db,
      `SELECT id, title FROM draft_step WHERE ${ofScope} AND is_undone = 1 ORDER BY id LIMIT 1`,
    ),
  };
  const changes = (column: 'before' | 'after') =>
    readAll(
      db,
      `SELECT cid, field, ${column} AS body FROM draft_step_change WHERE step_id = ? ORDER BY cid, field`,
      ({ body, ...change }: ChangeRow): DraftChange => ({ ...change, draft: draftIn(body) }),
    );
  const read = { undo: changes('before'), redo: changes('after') };
  const endUndone = writes(db, `DELETE FROM draft_step WHERE ${ofScope} AND is_undone = 1`);
  const add = db.prepare(
    'INSERT INTO draft_step (profile_id, account, title, is_undone) VALUES (:profileId, :account, :title, 0)',
  );
  const addChange = writes(
    db,
    'INSERT INTO draft_step_change (step_id, cid, field, before, after) VALUES (?, ?, ?, ?, ?)',
  );
  const setAfter = writes(
    db,
    'UPDATE draft_step_change SET after = ? WHERE step_id = ? AND cid = ? AND field = ?',
  );
  const endOldest = writes(
    db,
    `DELETE FROM draft_step WHERE ${ofScope} AND id <=
       (SELECT id FROM draft_step WHERE ${ofScope} ORDER BY id DESC LIMIT 1 OFFSET :max)`,
  );
  const mark = writes(db, 'UPDATE draft_step SET is_undone = ? WHERE id = ?');
  const drop = writes(
    db,
    `DELETE FROM draft_step_change
     WHERE cid = :cid AND step_id IN (SELECT id FROM draft_step WHERE ${ofScope})`,
  );
  const endEmpty = writes(
    db,
    `DELETE FROM draft_step
     WHERE ${ofScope} AND NOT EXISTS (SELECT 1 FROM draft_step_change WHERE step_id = draft_step.id)`,
  );

  return {
    nextTitle: (scope, which) => steps[which](scope)?.title ?? null,
    newest: (scope) => steps.undo(scope)?.id ?? null,
    next(scope, which) {
      const step = steps[which](scope);
      return step && { ...step, changes: read[which](step.id) };
    },
    extend(scope, made) {
      const step = steps.undo(scope);
      if (step === null || steps.redo(scope) !== null) return null;
      const names = (of: readonly { cid: number; field: string }[]): string[] =>
        of.map(({ cid, field }) => `${cid} ${field}`).toSorted();
      if (names(read.undo(step.id)).join('\n') !== names(made).join('\n')) return null;
      for (const { cid, field, after } of made) setAfter(textOf(after), step.id, cid, field);
      return step.id;
    },
    add(scope, { title, changes: made }) {
      endUndone(scope);
      const { lastInsertRowid } = add.run({ ...scope, title });
      for (const { cid, field, before, after } of made) {
        addChange(lastInsertRowid, cid, field, textOf(before), textOf(after));
      }
      endOldest({ ...scope, max: maxSteps });
      return Number(lastInsertRowid);
    },
    mark: (id, isUndone) => mark(Number(isUndone), id),
    dropCampaign(scope, cid) {
      drop({ ...scope, cid });
      endEmpty(scope);
    },
  };
}

function textOf(draft: FieldDraft | null): string | null {
  return draft === null ? null : JSON.stringify(draft);
}

interface DraftedField extends DraftChange {
  draft: FieldDraft;
}

export interface DraftChange {
  cid: number;
  field: string;
  draft: FieldDraft | null;
}

interface DraftReader {
  /** In order of creation. Skips rows that cannot be read. */
  all(scope: AccountScope): DraftedField[];
  of(scope: AccountScope, cid: number): DraftedField[];
  field(scope: AccountScope, cid: number, field: string): FieldDraft | null;
  has(scope: AccountScope, cid: number): boolean;
}

interface DraftWriter {
  put(scope: AccountScope, change: DraftChange): void;
  remove(scope: AccountScope, cid: number): void;
}

interface DraftRow extends ChangeRow {
  body: string;
}

function createDraftRows(db: Database): DraftReader & DraftWriter {
  const select = `SELECT cid, field, body FROM draft WHERE ${ofScope}`;
  const all = readAll<DraftRow>(db, `${select} ORDER BY id`);
  const of = readAll<DraftRow>(db, `${select} AND cid = :cid ORDER BY id`);
  const one = readFirst<DraftRow>(db, `${select} AND cid = :cid AND field = :field`);
  const has = readValue<number>(db, `SELECT EXISTS (SELECT 1 FROM draft WHERE ${ofScope} AND cid = :cid)`);
  const put = writes(
    db,
    `INSERT INTO draft (profile_id, account, cid, field, body) VALUES (:profileId, :account, :cid, :field, :body)
     ON CONFLICT (profile_id, account, cid, field) DO UPDATE SET body = excluded.body`,
  );
  const remove = writes(db, `DELETE FROM draft WHERE ${ofScope} AND cid = :cid`);
  const removeField = writes(db, `DELETE FROM draft WHERE ${ofScope} AND cid = :cid AND field = :field`);
  return {
    all: (scope) => all(scope).flatMap(draftFromRow),
    of: (scope, cid) => of({ ...scope, cid }).flatMap(draftFromRow),
    field: (scope, cid, field) => draftIn(one({ ...scope, cid, field })?.body ?? null),
    has: (scope, cid) => has({ ...scope, cid }) === 1,
    put(scope, { cid, field, draft }) {
      if (draft === null) removeField({ ...scope, cid, field });
      else put({ ...scope, cid, field, body: JSON.stringify(draft) });
    },
    remove: (scope, cid) => remove({ ...scope, cid }),
  };
}

function draftFromRow({ cid, field, body }: DraftRow): DraftedField[] {
  const draft = draftIn(body);
  return draft === null ? [] : [{ cid, field, draft }];
}

/** Returns null for a draft that this build cannot read. */
function draftIn(body: string | null): FieldDraft | null {
  if (body === null) return null;
  const parsed = fieldDraftSchema.safeParse(jsonOrNull(body));
  return parsed.success ? parsed.data : null;
}
