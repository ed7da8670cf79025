import { z } from 'zod';
import {
  alertEventSchema,
  alertReadingSchema,
  alertRuleSchema,
  alertSchema,
  maxAlertEvents,
  type AlertEvent,
  type AlertView,
} from '#shared/app-api/index.ts';
import type { Database } from '../../sqlite/index.ts';

export interface AlertReader {
  /** In the order in which they were made. */
  all(profileId: string): AlertView[];
  /** Crossings and recoveries, the newest first. */
  events(profileId: string): AlertEvent[];
  /** Profiles with an alert that is on. */
  profilesWithAlerts(): string[];
}

export interface AlertWriter {
  /** Adds an alert, or replaces the one with its id. */
  put(profileId: string, alert: AlertView): void;
  remove(profileId: string, id: string): void;
  /** Remembers an event; the oldest ones above the limit go. */
  addEvent(profileId: string, event: Omit<AlertEvent, 'id' | 'seen'>): void;
  /** Every event of the profile so far was seen. */
  see(profileId: string): void;
  /** Removes the alerts of the profile and their history. */
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

interface EventRow {
  id: number;
  alertId: string;
  kind: string;
  atMs: number;
  body: string;
  isSeen: number;
}

const eventBody = alertEventSchema.pick({ rule: true, range: true, now: true, before: true });

/** Alerts over reports, and what became of them. */
export function createAlertRows(db: Database): AlertReader & AlertWriter {
  const all = db.prepare<[string], AlertRow>(
    `SELECT id, rule, is_on AS isOn, state, since_ms AS sinceMs, checked_at_ms AS checkedAtMs, reading
     FROM report_alert WHERE profile_id = ? ORDER BY id`,
  );
  const events = db.prepare<[string], EventRow>(
    `SELECT id, alert_id AS alertId, kind, at_ms AS atMs, body, is_seen AS isSeen
     FROM report_alert_event WHERE profile_id = ? ORDER BY id DESC`,
  );
  const on = db
    .prepare<[], string>('SELECT DISTINCT profile_id FROM report_alert WHERE is_on = 1 ORDER BY 1')
    .pluck();
  const put = db.prepare<[AlertRow & { profileId: string }]>(
    `INSERT INTO report_alert (id, profile_id, rule, is_on, state, since_ms, checked_at_ms, reading)
     VALUES (:id, :profileId, :rule, :isOn, :state, :sinceMs, :checkedAtMs, :reading)
     ON CONFLICT (id) DO UPDATE SET rule = excluded.rule, is_on = excluded.is_on, state = excluded.state,
       since_ms = excluded.since_ms, checked_at_ms = excluded.checked_at_ms, reading = excluded.reading`,
  );
  const remove = db.prepare<[string, string]>('DELETE FROM report_alert WHERE profile_id = ? AND id = ?');
  const addEvent = db.prepare<[string, string, string, number, string]>(
    `INSERT INTO report_alert_event (profile_id, alert_id, kind, at_ms, body, is_seen) VALUES (?, ?, ?, ?, ?, 0)`,
  );
  const trim = db.prepare<[{ profileId: string; max: number }]>(
    `DELETE FROM report_alert_event WHERE profile_id = :profileId AND id NOT IN
       (SELECT id FROM report_alert_event WHERE profile_id = :profileId ORDER BY id DESC LIMIT :max)`,
  );
  const see = db.prepare<[string]>('UPDATE report_alert_event SET is_seen = 1 WHERE profile_id = ?');
  const forget = db.prepare<[string]>('DELETE FROM report_alert WHERE profile_id = ?');
  const forgetEvents = db.prepare<[string]>('DELETE FROM report_alert_event WHERE profile_id = ?');
  return {
    all: (profileId) => all.all(profileId).map(fromRow),
    events: (profileId) => events.all(profileId).map(fromEventRow),
    profilesWithAlerts: () => on.all(),
    put: (profileId, alert) => void put.run({ ...toRow(alert), profileId }),
    remove: (profileId, id) => void remove.run(profileId, id),
    addEvent(profileId, { alertId, kind, atMs, ...body }) {
      addEvent.run(profileId, alertId, kind, atMs, JSON.stringify(body));
      trim.run({ profileId, max: maxAlertEvents });
    },
    see: (profileId) => void see.run(profileId),
    forget(profileId) {
      forget.run(profileId);
      forgetEvents.run(profileId);
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
