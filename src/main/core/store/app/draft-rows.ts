import type { AccountScope } from './settings-and-profiles.ts';
import { type Database, readColumn, readRow } from '../sqlite/database.ts';
import { type FieldDraft, fieldDraftSchema } from '#shared/drafts/index.ts';
import { jsonOrNull } from '#shared/lib/json/json-value.ts';

export interface DraftTables {
  fields: DraftReader & DraftWriter;
  steps: DraftStepReader & DraftStepWriter;
  reviews: DraftReviewReader & DraftReviewWriter;
  /** Gives the drafts that were made before the profile's account was known to this account. */
  adopt(profileId: string, account: string): void;
  forget(profileId: string): void;
}

/** The tables with an account. Drafts are moved last: if that is interrupted, the next time moves the rest. */
const accountTables = ['draft_step', 'draft_review', 'draft'] as const;

export function createDraftTables(db: Database): DraftTables {
  const isUnbound = readColumn<[string], number>(
    db,
    "SELECT EXISTS (SELECT 1 FROM draft WHERE profile_id = ? AND account = '')",
  );
  const adopt = accountTables.map((table) =>
    db.prepare<[string, string]>(
      `UPDATE OR REPLACE ${table} SET account = ? WHERE profile_id = ? AND account = ''`,
    ),
  );
  const forget = accountTables.map((table) =>
    db.prepare<[string]>(`DELETE FROM ${table} WHERE profile_id = ?`),
  );
  return {
    fields: createDraftRows(db),
    steps: createDraftStepRows(db),
    reviews: createDraftReviewRows(db),
    adopt(profileId, account) {
      if (isUnbound.get(profileId) === 1) adopt.forEach((statement) => statement.run(account, profileId));
    },
    forget: (profileId) => forget.forEach((statement) => statement.run(profileId)),
  };
}

export interface DraftReview {
  cid: number;
  proposalId: string;
  /** The reason why it came to nothing; null while it is not settled. */
  returned: { atMs: number; reason: string } | null;
}

interface DraftReviewReader {
  all(scope: AccountScope): DraftReview[];
  of(scope: AccountScope, cid: number): DraftReview | null;
  /** The proposals of all drafts of all profiles that are not settled. */
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
  const ofScope = 'WHERE profile_id = :profileId AND account = :account';
  const all = db.prepare<[AccountScope], DraftReviewRow>(`${select} ${ofScope}`);
  const of = db.prepare<[AccountScope & { cid: number }], DraftReviewRow>(
    `${select} ${ofScope} AND cid = :cid`,
  );
  const proposalIds = readColumn<[], string>(
    db,
    'SELECT DISTINCT proposal_id FROM draft_review WHERE returned_at_ms IS NULL',
  );
  const ofProposal = db.prepare<[string], DraftReviewRow>(`${select} WHERE proposal_id = ?`);
  const put = db.prepare<[DraftReviewRow]>(
    `INSERT INTO draft_review (profile_id, account, cid, proposal_id, returned_at_ms, returned_reason)
     VALUES (:profileId, :account, :cid, :proposalId, :atMs, :reason)
     ON CONFLICT (profile_id, account, cid) DO UPDATE SET proposal_id = excluded.proposal_id,
       returned_at_ms = excluded.returned_at_ms,
       returned_reason = excluded.returned_reason`,
  );
  const remove = db.prepare<[AccountScope & { cid: number }]>(
    `DELETE FROM draft_review ${ofScope} AND cid = :cid`,
  );
  return {
    all: (scope) => all.all(scope).map(fromRow),
    of: (scope, cid) => readRow(of.get({ ...scope, cid }), fromRow),
    proposalIds: () => proposalIds.all(),
    ofProposal: (proposalId) => ofProposal.all(proposalId).map(fromRow),
    put({ profileId, account }, { returned, ...review }) {
      const { atMs, reason } = returned ?? { atMs: null, reason: null };
      put.run({ profileId, account, ...review, atMs, reason });
    },
    remove: ({ profileId, account }, cid) => void remove.run({ profileId, account, cid }),
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
  /** The title of the step that would be undone or redone next; null for none. */
  nextTitle(scope: AccountScope, which: 'undo' | 'redo'): string | null;
  /** The id of the step that would be undone next; null for none. No id is given twice. */
  newest(scope: AccountScope): number | null;
  /** That step, with the drafts before it or after it. */
  next(scope: AccountScope, which: 'undo' | 'redo'): DraftStep | null;
}

interface DraftStepWriter {
  /** Gives the newest step this outcome; returns its id. Null, and nothing is changed, if it has other fields or something is undone. */
  extend(scope: AccountScope, changes: readonly StepChange[]): number | null;
  /** Adds a step at the end; returns its id. Undone steps end with it, and the oldest where there are too many. */
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
  const ofScope = 'profile_id = :profileId AND account = :account';
  const newest = db.prepare<[AccountScope], { id: number; title: string }>(
    `SELECT id, title FROM draft_step WHERE ${ofScope} AND is_undone = 0 ORDER BY id DESC LIMIT 1`,
  );
  const firstUndone = db.prepare<[AccountScope], { id: number; title: string }>(
    `SELECT id, title FROM draft_step WHERE ${ofScope} AND is_undone = 1 ORDER BY id LIMIT 1`,
  );
  const changes = (column: 'before' | 'after') =>
    db.prepare<[number], ChangeRow>(
      `SELECT cid, field, ${column} AS body FROM draft_step_change WHERE step_id = ? ORDER BY cid, field`,
    );
  const read = { undo: changes('before'), redo: changes('after') };
  const endUndone = db.prepare<[AccountScope]>(`DELETE FROM draft_step WHERE ${ofScope} AND is_undone = 1`);
  const add = db.prepare<[AccountScope & { title: string }]>(
    'INSERT INTO draft_step (profile_id, account, title, is_undone) VALUES (:profileId, :account, :title, 0)',
  );
  const addChange = db.prepare<[number | bigint, number, string, string | null, string | null]>(
    'INSERT INTO draft_step_change (step_id, cid, field, before, after) VALUES (?, ?, ?, ?, ?)',
  );
  const setAfter = db.prepare<[string | null, number, number, string]>(
    'UPDATE draft_step_change SET after = ? WHERE step_id = ? AND cid = ? AND field = ?',
  );
  const endOldest = db.prepare<[AccountScope & { max: number }]>(
    `DELETE FROM draft_step WHERE ${ofScope} AND id <=
       (SELECT id FROM draft_step WHERE ${ofScope} ORDER BY id DESC LIMIT 1 OFFSET :max)`,
  );
  const mark = db.prepare<[number, number]>('UPDATE draft_step SET is_undone = ? WHERE id = ?');
  const drop = db.prepare<[AccountScope & { cid: number }]>(
    `DELETE FROM draft_step_change
     WHERE cid = :cid AND step_id IN (SELECT id FROM draft_step WHERE ${ofScope})`,
  );
  const endEmpty = db.prepare<[AccountScope]>(
    `DELETE FROM draft_step
     WHERE ${ofScope} AND NOT EXISTS (SELECT 1 FROM draft_step_change WHERE step_id = draft_step.id)`,
  );

  const stepOf = (scope: AccountScope, which: 'undo' | 'redo') =>
    (which === 'undo' ? newest : firstUndone).get(scope);

  return {
    nextTitle: (scope, which) => stepOf(scope, which)?.title ?? null,
    newest: (scope) => stepOf(scope, 'undo')?.id ?? null,
    next(scope, which) {
      const step = stepOf(scope, which);
      if (step === undefined) return null;
      const found = read[which]
        .all(step.id)
        .map(({ body, ...change }) => ({ ...change, draft: draftIn(body) }));
      return { ...step, changes: found };
    },
    extend(scope, made) {
      const step = stepOf(scope, 'undo');
      if (step === undefined || stepOf(scope, 'redo') !== undefined) return null;
      const names = (of: readonly { cid: number; field: string }[]): string[] =>
        of.map(({ cid, field }) => `${cid} ${field}`).toSorted();
      if (names(read.undo.all(step.id)).join('\n') !== names(made).join('\n')) return null;
      for (const { cid, field, after } of made) setAfter.run(textOf(after), step.id, cid, field);
      return step.id;
    },
    add(scope, { title, changes: made }) {
      endUndone.run(scope);
      const { lastInsertRowid } = add.run({ ...scope, title });
      for (const { cid, field, before, after } of made) {
        addChange.run(lastInsertRowid, cid, field, textOf(before), textOf(after));
      }
      endOldest.run({ ...scope, max: maxSteps });
      return Number(lastInsertRowid);
    },
    mark: (id, isUndone) => void mark.run(isUndone ? 1 : 0, id),
    dropCampaign(scope, cid) {
      drop.run({ ...scope, cid });
      endEmpty.run(scope);
    },
  };
}

function textOf(draft: FieldDraft | null): string | null {
  return draft === null ? null : JSON.stringify(draft);
}

interface DraftedField extends DraftChange {
  draft: FieldDraft;
}

/** A field with the draft to store, or null to remove the one that is there. */
export interface DraftChange {
  cid: number;
  field: string;
  draft: FieldDraft | null;
}

interface DraftReader {
  /** In the order in which they were first drafted. A row that cannot be read any more is left out. */
  all(scope: AccountScope): DraftedField[];
  of(scope: AccountScope, cid: number): DraftedField[];
  field(scope: AccountScope, cid: number, field: string): FieldDraft | null;
  /** True if something is drafted, even if it cannot be read. */
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
  const ofScope = 'profile_id = :profileId AND account = :account';
  const select = `SELECT cid, field, body FROM draft WHERE ${ofScope}`;
  const all = db.prepare<[AccountScope], DraftRow>(`${select} ORDER BY id`);
  const of = db.prepare<[AccountScope & { cid: number }], DraftRow>(`${select} AND cid = :cid ORDER BY id`);
  const one = db.prepare<[AccountScope & { cid: number; field: string }], DraftRow>(
    `${select} AND cid = :cid AND field = :field`,
  );
  const has = readColumn<[AccountScope & { cid: number }], number>(
    db,
    `SELECT EXISTS (SELECT 1 FROM draft WHERE ${ofScope} AND cid = :cid)`,
  );
  const put = db.prepare<[AccountScope & DraftRow]>(
    `INSERT INTO draft (profile_id, account, cid, field, body) VALUES (:profileId, :account, :cid, :field, :body)
     ON CONFLICT (profile_id, account, cid, field) DO UPDATE SET body = excluded.body`,
  );
  const remove = db.prepare<[AccountScope & { cid: number }]>(
    `DELETE FROM draft WHERE ${ofScope} AND cid = :cid`,
  );
  const removeField = db.prepare<[AccountScope & { cid: number; field: string }]>(
    `DELETE FROM draft WHERE ${ofScope} AND cid = :cid AND field = :field`,
  );
  return {
    all: (scope) => all.all(scope).flatMap(draftFromRow),
    of: (scope, cid) => of.all({ ...scope, cid }).flatMap(draftFromRow),
    field: (scope, cid, field) => draftIn(one.get({ ...scope, cid, field })?.body ?? null),
    has: (scope, cid) => has.get({ ...scope, cid }) === 1,
    put(scope, { cid, field, draft }) {
      if (draft === null) removeField.run({ ...scope, cid, field });
      else put.run({ ...scope, cid, field, body: JSON.stringify(draft) });
    },
    remove: (scope, cid) => void remove.run({ ...scope, cid }),
  };
}

function draftFromRow({ cid, field, body }: DraftRow): DraftedField[] {
  const draft = draftIn(body);
  return draft === null ? [] : [{ cid, field, draft }];
}

/** Reads a stored draft; null for none, and for one of another build that cannot be read. */
function draftIn(body: string | null): FieldDraft | null {
  if (body === null) return null;
  const parsed = fieldDraftSchema.safeParse(jsonOrNull(body));
  return parsed.success ? parsed.data : null;
}
