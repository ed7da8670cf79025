import { z } from 'zod';
import { markFiguresSchema, markSigns, reportSourceSchema, type Mark } from '#shared/app-api/index.ts';
import type { Database } from '../../sqlite/index.ts';

export interface MarkReader {
  /** The newest first. */
  all(profileId: string): Mark[];
}

export interface MarkWriter {
  /** Adds a mark, or replaces the one with its id. */
  put(profileId: string, mark: Mark): void;
  remove(profileId: string, id: string): void;
  /** Removes every mark of the profile. */
  forget(profileId: string): void;
}

interface MarkRow {
  id: string;
  source: string;
  dimension: string;
  value: string | null;
  sign: string;
  note: string;
  markedAtMs: number;
  figures: string | null;
}

/** Marks of values in reports. */
export function createMarkRows(db: Database): MarkReader & MarkWriter {
  const all = db.prepare<[string], MarkRow>(
    `SELECT id, source, dimension, value, sign, note, marked_at_ms AS markedAtMs, figures
     FROM report_mark WHERE profile_id = ? ORDER BY marked_at_ms DESC, id DESC`,
  );
  const put = db.prepare<[MarkRow & { profileId: string }]>(
    `INSERT INTO report_mark (id, profile_id, source, dimension, value, sign, note, marked_at_ms, figures)
     VALUES (:id, :profileId, :source, :dimension, :value, :sign, :note, :markedAtMs, :figures)
     ON CONFLICT (id) DO UPDATE SET sign = excluded.sign, note = excluded.note,
       marked_at_ms = excluded.marked_at_ms, figures = excluded.figures`,
  );
  const remove = db.prepare<[string, string]>('DELETE FROM report_mark WHERE profile_id = ? AND id = ?');
  const forget = db.prepare<[string]>('DELETE FROM report_mark WHERE profile_id = ?');
  return {
    all: (profileId) => all.all(profileId).map(fromRow),
    put(profileId, { source, figuresThen, ...mark }) {
      const figures = figuresThen === null ? null : JSON.stringify(figuresThen);
      put.run({ ...mark, profileId, source: JSON.stringify(source), figures });
    },
    remove: (profileId, id) => void remove.run(profileId, id),
    forget: (profileId) => void forget.run(profileId),
  };
}

function fromRow({ source, sign, figures, ...row }: MarkRow): Mark {
  return {
    ...row,
    source: reportSourceSchema.parse(JSON.parse(source)),
    sign: z.enum(markSigns).parse(sign),
    figuresThen: figures === null ? null : markFiguresSchema.parse(JSON.parse(figures)),
  };
}
