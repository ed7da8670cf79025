import { z } from 'zod';
import {
  alertEventSchema,
  alertReadingSchema,
  alertRuleSchema,
  alertSchema,
  maxAlertEvents,
  type AlertEvent,
  type AlertView,
  markFiguresSchema,
  markSigns,
  reportSourceSchema,
  type Mark,
  reportExclusionSchema,
  reportQuerySchema,
  reportValueSchema,
  type ReportView,
} from '#shared/app-api/index.ts';
import { columnsOf, type Database, readAll, readValues, writes } from '../sqlite/database.ts';

export interface AlertReader {
  all(profileId: string): AlertView[];
  events(profileId: string): AlertEvent[];
  profilesWithAlerts(): string[];
}

export interface AlertWriter {
  put(profileId: string, alert: AlertView): void;
  remove(profileId: string, id: string): void;
  addEvent(profileId: string, event: Omit<AlertEvent, 'id' | 'seen'>): void;
  see(profileId: string): void;
  forget(profileId: string): void;
}

interface AlertRow {
  id: string;
  rule: string;
  isOn: number;
  state: string;
  sinceMs: number;
  checkedAtMs: number | null;
  reading: string | null;
}

const alertMembers = 'id rule isOn state sinceMs checkedAtMs reading';
const alertColumns = columnsOf(alertMembers);

interface EventRow {
  id: number;
  alertId: string;
  kind: string;
  atMs: number;
  body: string;
  isSeen: number;
}

const eventBody = alertEventSchema.pick({ rule: true, range: true, now: true, before: true });

export function createAlertRows(db: Database): AlertReader & AlertWriter {
  const put = writes(
    db,
    `INSERT INTO report_alert ${columnsOf(`profileId ${alertMembers}`).inserted}
     ON CONFLICT (id) DO UPDATE SET ${alertColumns.updated}`,
  );
  const addEvent = writes(
    db,
    `INSERT INTO report_alert_event (profile_id, alert_id, kind, at_ms, body, is_seen) VALUES (?, ?, ?, ?, ?, 0)`,
  );
  const trim = writes(
    db,
    `DELETE FROM report_alert_event WHERE profile_id = :profileId AND id NOT IN
       (SELECT id FROM report_alert_event WHERE profile_id = :profileId ORDER BY id DESC LIMIT :max)`,
  );
  const forget = writes(db, 'DELETE FROM report_alert WHERE profile_id = ?');
  const forgetEvents = writes(db, 'DELETE FROM report_alert_event WHERE profile_id = ?');
  return {
    all: readAll(
      db,
      `SELECT ${alertColumns.selected} FROM report_alert WHERE profile_id = ? ORDER BY id`,
      fromRow,
    ),
    events: readAll(
      db,
      `SELECT id, alert_id AS alertId, kind, at_ms AS atMs, body, is_seen AS isSeen
       FROM report_alert_event WHERE profile_id = ? ORDER BY id DESC`,
      fromEventRow,
    ),
    profilesWithAlerts: readValues<string>(
      db,
      'SELECT DISTINCT profile_id FROM report_alert WHERE is_on = 1 ORDER BY 1',
    ),
    put: (profileId, alert) => put({ ...toRow(alert), profileId }),
    remove: writes(db, 'DELETE FROM report_alert WHERE profile_id = ? AND id = ?'),
    addEvent(profileId, { alertId, kind, atMs, ...body }) {
      addEvent(profileId, alertId, kind, atMs, JSON.stringify(body));
      trim({ profileId, max: maxAlertEvents });
    },
    see: writes(db, 'UPDATE report_alert_event SET is_seen = 1 WHERE profile_id = ?'),
    forget(profileId) {
      forget(profileId);
      forgetEvents(profileId);
    },
  };
}

function fromRow({ rule, isOn, state, reading, ...row }: AlertRow): AlertView {
  return {
    ...row,
    rule: alertRuleSchema.parse(JSON.parse(rule)),
    on: isOn === 1,
    state: alertSchema.shape.state.parse(state),
    reading: reading === null ? null : alertReadingSchema.parse(JSON.parse(reading)),
  };
}

function toRow({ rule, on, reading, ...alert }: AlertView): AlertRow {
  return {
    ...alert,
    rule: JSON.stringify(rule),
    isOn: on ? 1 : 0,
    reading: reading === null ? null : JSON.stringify(reading),
  };
}

function fromEventRow({ kind, body, isSeen, ...row }: EventRow): AlertEvent {
  return {
    ...row,
    ...eventBody.parse(JSON.parse(body)),
    kind: z.enum(['crossed', 'recovered']).parse(kind),
    seen: isSeen === 1,
  };
}

export interface MarkReader {
  all(profileId: string): Mark[];
}

export interface MarkWriter {
  put(profileId: string, mark: Mark): void;
  remove(profileId: string, id: string): void;
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

export function createMarkRows(db: Database): MarkReader & MarkWriter {
  const put = writes(
    db,
    `INSERT INTO report_mark (id, profile_id, source, dimension, value, sign, note, marked_at_ms, figures)
     VALUES (:id, :profileId, :source, :dimension, :value, :sign, :note, :markedAtMs, :figures)
     ON CONFLICT (id) DO UPDATE SET sign = excluded.sign, note = excluded.note,
       marked_at_ms = excluded.marked_at_ms, figures = excluded.figures`,
  );
  return {
    all: readAll(
      db,
      `SELECT id, source, dimension, value, sign, note, marked_at_ms AS markedAtMs, figures
       FROM report_mark WHERE profile_id = ? ORDER BY marked_at_ms DESC, id DESC`,
      markFromRow,
    ),
    put(profileId, { source, figuresThen, ...mark }) {
      const figures = figuresThen === null ? null : JSON.stringify(figuresThen);
      put({ ...mark, profileId, source: JSON.stringify(source), figures });
    },
    remove: writes(db, 'DELETE FROM report_mark WHERE profile_id = ? AND id = ?'),
    forget: writes(db, 'DELETE FROM report_mark WHERE profile_id = ?'),
  };
}

function markFromRow({ source, sign, figures, ...row }: MarkRow): Mark {
  return {
    ...row,
    source: reportSourceSchema.parse(JSON.parse(source)),
    sign: z.enum(markSigns).parse(sign),
    figuresThen: figures === null ? null : markFiguresSchema.parse(JSON.parse(figures)),
  };
}

export interface ViewReader {
  all(profileId: string): ReportView[];
}

export interface ViewWriter {
  add(profileId: string, view: NewView): void;
  overwrite(profileId: string, change: Pick<NewView, 'id' | 'query' | 'savedAtMs'>): void;
  rename(profileId: string, change: Pick<NewView, 'id' | 'name'>): void;
  remove(profileId: string, id: string): void;
  reorder(profileId: string, ids: readonly string[]): void;
  setStart(profileId: string, id: string | null): void;
  forget(profileId: string): void;
}

interface NewView {
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

export function createViewRows(db: Database): ViewReader & ViewWriter {
  const add = writes(
    db,
    `INSERT INTO report_view (id, profile_id, name, position, is_start, query, saved_at_ms)
     SELECT :id, :profileId, :name, coalesce(max(position), 0) + 1, 0, :query, :savedAtMs
     FROM report_view WHERE profile_id = :profileId`,
  );
  const overwrite = writes(
    db,
    'UPDATE report_view SET query = ?, saved_at_ms = ? WHERE profile_id = ? AND id = ?',
  );
  const rename = writes(db, 'UPDATE report_view SET name = ? WHERE profile_id = ? AND id = ?');
  const place = writes(db, 'UPDATE report_view SET position = ? WHERE profile_id = ? AND id = ?');
  const endStart = writes(db, 'UPDATE report_view SET is_start = 0 WHERE profile_id = ?');
  const start = writes(db, 'UPDATE report_view SET is_start = 1 WHERE profile_id = ? AND id = ?');
  return {
    all: readAll(
      db,
      `SELECT id, name, is_start AS isStart, query, saved_at_ms AS savedAtMs
       FROM report_view WHERE profile_id = ? ORDER BY position, id`,
      viewFromRow,
    ),
    add: (profileId, view) => add({ ...view, profileId, query: JSON.stringify(view.query) }),
    overwrite: (profileId, { id, query, savedAtMs }) =>
      overwrite(JSON.stringify(query), savedAtMs, profileId, id),
    rename: (profileId, { id, name }) => rename(name, profileId, id),
    remove: writes(db, 'DELETE FROM report_view WHERE profile_id = ? AND id = ?'),
    reorder: (profileId, ids) => ids.forEach((id, at) => place(at + 1, profileId, id)),
    setStart(profileId, id) {
      endStart(profileId);
      if (id !== null) start(profileId, id);
    },
    forget: writes(db, 'DELETE FROM report_view WHERE profile_id = ?'),
  };
}

/** Saved views of earlier builds exclude single values instead of rows by their path. */
const savedQuerySchema = reportQuerySchema.extend({
  excluded: z
    .array(z.union([reportExclusionSchema, reportValueSchema.transform((value) => [value])]))
    .max(1_000),
});

function viewFromRow({ isStart, query, ...row }: ViewRow): ReportView {
  const parsed = savedQuerySchema.safeParse(JSON.parse(query));
  return { ...row, start: isStart === 1, query: parsed.success ? parsed.data : null };
}
