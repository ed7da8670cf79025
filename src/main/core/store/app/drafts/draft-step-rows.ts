import type { FieldDraft } from '#shared/drafts/index.ts';
import type { Database } from '../../sqlite/index.ts';
import { draftIn, type DraftChange, type DraftScope } from './draft-rows.ts';

/** Steps that are kept of one account. */
const maxSteps = 200;

/** A change of drafts that is undone and redone as a whole. */
export interface DraftStep {
  id: number;
  title: string;
  /** The drafts to store when it is undone or redone. */
  changes: DraftChange[];
}

export interface DraftStepReader {
  /** The title of the step that would be undone or redone next; null for none. */
  nextTitle(scope: DraftScope, which: 'undo' | 'redo'): string | null;
  /** The id of the step that would be undone next; null for none. No id is given twice. */
  newest(scope: DraftScope): number | null;
  /** That step, with the drafts before it or after it. */
  next(scope: DraftScope, which: 'undo' | 'redo'): DraftStep | null;
}

export interface DraftStepWriter {
  /** Gives the newest step this outcome; returns its id. Null, and nothing is changed, if it has other fields or something is undone. */
  extend(scope: DraftScope, changes: readonly StepChange[]): number | null;
  /** Adds a step at the end; returns its id. Undone steps end with it, and the oldest where there are too many. */
  add(scope: DraftScope, step: { title: string; changes: readonly StepChange[] }): number;
  /** Marks a step as undone, or as done again. */
  mark(id: number, isUndone: boolean): void;
  /** Takes a campaign out of every step, and ends the steps that are empty then. */
  dropCampaign(scope: DraftScope, cid: number): void;
}

/** The draft of one field before and after a step. */
export interface StepChange {
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

/** The steps that made the drafts, in their order. */
export function createDraftStepRows(db: Database): DraftStepReader & DraftStepWriter {
  const ofScope = 'profile_id = :profileId AND account = :account';
  const newest = db.prepare<[DraftScope], { id: number; title: string }>(
    `SELECT id, title FROM draft_step WHERE ${ofScope} AND is_undone = 0 ORDER BY id DESC LIMIT 1`,
  );
  const firstUndone = db.prepare<[DraftScope], { id: number; title: string }>(
    `SELECT id, title FROM draft_step WHERE ${ofScope} AND is_undone = 1 ORDER BY id LIMIT 1`,
  );
  const changes = (column: 'before' | 'after') =>
    db.prepare<[number], ChangeRow>(
      `SELECT cid, field, ${column} AS body FROM draft_step_change WHERE step_id = ? ORDER BY cid, field`,
    );
  const read = { undo: changes('before'), redo: changes('after') };
  const endUndone = db.prepare<[DraftScope]>(`DELETE FROM draft_step WHERE ${ofScope} AND is_undone = 1`);
  const add = db.prepare<[DraftScope & { title: string }]>(
    'INSERT INTO draft_step (profile_id, account, title, is_undone) VALUES (:profileId, :account, :title, 0)',
  );
  const addChange = db.prepare<[number | bigint, number, string, string | null, string | null]>(
    'INSERT INTO draft_step_change (step_id, cid, field, before, after) VALUES (?, ?, ?, ?, ?)',
  );
  const setAfter = db.prepare<[string | null, number, number, string]>(
    'UPDATE draft_step_change SET after = ? WHERE step_id = ? AND cid = ? AND field = ?',
  );
  const endOldest = db.prepare<[DraftScope & { max: number }]>(
    `DELETE FROM draft_step WHERE ${ofScope} AND id <=
       (SELECT id FROM draft_step WHERE ${ofScope} ORDER BY id DESC LIMIT 1 OFFSET :max)`,
  );
  const mark = db.prepare<[number, number]>('UPDATE draft_step SET is_undone = ? WHERE id = ?');
  const drop = db.prepare<[DraftScope & { cid: number }]>(
    `DELETE FROM draft_step_change
     WHERE cid = :cid AND step_id IN (SELECT id FROM draft_step WHERE ${ofScope})`,
  );
  const endEmpty = db.prepare<[DraftScope]>(
    `DELETE FROM draft_step
     WHERE ${ofScope} AND NOT EXISTS (SELECT 1 FROM draft_step_change WHERE step_id = draft_step.id)`,
  );

  const stepOf = (scope: DraftScope, which: 'undo' | 'redo') =>
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
