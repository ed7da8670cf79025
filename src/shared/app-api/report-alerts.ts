import { z } from 'zod';
import { alertBases, alertWindows } from '#shared/reports/index.ts';
import { request } from './define.ts';
import { reportSourceSchema, reportValueSchema } from './reports.ts';

/** Alerts of one profile, and the crossings and recoveries that are remembered of it. */
export const maxAlerts = 50;
export const maxAlertEvents = 200;

const id = z.string().min(1).max(100);
const column = z.string().min(1).max(200);
const days = z.object({ from: z.iso.date(), to: z.iso.date() });
const amount = z.string().regex(/^\d{1,12}(?:\.\d{1,9})?$/u);

export const alertConditionSchema = z.discriminatedUnion('kind', [
  /** In the unit of the metric: a share of 2% is 0.02. */
  z.object({ kind: z.literal('level'), is: z.enum(['below', 'above']), threshold: amount }),
  z.object({
    kind: z.literal('change'),
    is: z.enum(['down', 'up']),
    percent: amount,
    against: z.enum(alertBases),
  }),
]);

/** Everything that a person sets of an alert. `only` narrows it to one value; null means the whole report. */
export const alertRuleSchema = z.object({
  source: reportSourceSchema,
  only: reportValueSchema.nullable(),
  metric: column,
  window: z.enum(alertWindows),
  condition: alertConditionSchema,
  /** The sum that must reach a count, for example 1,000 requests. */
  least: z.object({ metric: column, count: z.string().regex(/^\d{1,15}$/u) }).nullable(),
});

export type AlertRule = z.infer<typeof alertRuleSchema>;

/** The last reading. Values are decimal texts in the unit of the metric, ratios rounded to nine decimals. */
export const alertReadingSchema = z.object({
  kind: z.enum(['crossed', 'clear', 'too-little', 'unknown']),
  /** Null unless the kind is `unknown`. After `address-changed` the alert is off until a person switches it on. */
  because: z.enum(['incomplete', 'no-value', 'nothing-before', 'address-changed']).nullable(),
  /** Null where no day was looked at. */
  range: days.nullable(),
  now: z.string().nullable(),
  before: z.string().nullable(),
});

export type AlertReadingView = z.infer<typeof alertReadingSchema>;

export const alertSchema = z.object({
  id,
  rule: alertRuleSchema,
  on: z.boolean(),
  state: z.enum(['clear', 'crossed']),
  /** When the state began. */
  sinceMs: z.number(),
  /** When its figures were last looked at; null before the first time. */
  checkedAtMs: z.number().nullable(),
  reading: alertReadingSchema.nullable(),
});

export type AlertView = z.infer<typeof alertSchema>;

export const alertEventSchema = z.object({
  id: z.int(),
  alertId: id,
  kind: z.enum(['crossed', 'recovered']),
  atMs: z.number(),
  /** The rule as it was then. */
  rule: alertRuleSchema,
  range: days,
  now: z.string().nullable(),
  before: z.string().nullable(),
  /** True once a person has opened the alerts. */
  seen: z.boolean(),
});

export type AlertEvent = z.infer<typeof alertEventSchema>;

/** How the hourly checks of the profile stand. */
export const alertChecksSchema = z.object({
  /** Requests of the last hour, and how many there may be. */
  usedRequests: z.int(),
  maxRequests: z.int(),
  /** Null while no alert is on. */
  nextCheckAtMs: z.number().nullable(),
  /** The failure of the last check; null after one that succeeded. */
  failure: z.object({ code: z.string(), message: z.string(), next: z.string() }).nullable(),
});

export type AlertChecks = z.infer<typeof alertChecksSchema>;

/** Alerts of the active profile. They notify and never act: nothing here changes anything at a service. */
export const reportAlertsApi = {
  'reports.alerts.list': request(
    z.object({}),
    z.object({
      items: z.array(alertSchema),
      /** The newest first. */
      events: z.array(alertEventSchema),
      checks: alertChecksSchema,
    }),
  ),
  /** Adds an alert, or sets the rule of one, which then begins as clear. Fails with `validation_failed`, `alert_limit` and `alert_unknown`. */
  'reports.alerts.save': request(z.object({ id: id.nullable(), rule: alertRuleSchema }), alertSchema),
  /** Fails with `alert_unknown`. */
  'reports.alerts.switch': request(z.object({ id, on: z.boolean() }), z.null()),
  'reports.alerts.remove': request(z.object({ id }), z.null()),
  /** Checks the alerts that are on now, within the request budget. */
  'reports.alerts.check': request(z.object({}), z.null()),
  /** A person has seen the events so far. */
  'reports.alerts.seen': request(z.object({}), z.null()),
};
