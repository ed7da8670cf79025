import type { AppError, FieldError } from '#shared/errors/index.ts';
import { isTimeZone } from '#shared/campaign/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { argumentsInvalid } from '../remote-call/arguments.ts';
import { weekdays, nextDueTimes } from './schedule.ts';
import type { Schedule } from './schedule.ts';
import { definitionSchema } from './definition.ts';
import type { TaskDefinition, TaskKind } from './definition.ts';
import { ownWords, type Sentence, sentence } from '#shared/lib/sentence.ts';

/** Maximum distance of a single due time. */
const longestWaitMs = 366 * 24 * 60 * 60 * 1000;

const parameterNames: Readonly<Record<TaskKind, string>> = {
  report_export: 'report, tid or sid, lastDays, groupBy and format',
  campaign_status: 'cids and status',
  campaign_bid: 'cid and payout',
};

/**
 * Reads a definition whose arguments fit the tool's schema: its parameters are those of its kind, its zone is known, it
 * will be due, and equal ones are written alike. Fails with `arguments_invalid`.
 */
export function readDefinition(args: JsonObject, nowMs: number): TaskDefinition {
  const read = definitionSchema.safeParse(args);
  if (!read.success) throw refusal('parameters', parametersText(args['kind']));
  const definition = read.data;
  requireZone(definition.schedule);
  requireDue(definition.schedule, nowMs);
  return tidy(definition);
}

/** Fails with `arguments_invalid` when nothing will be due any more, or only in a far future. */
function requireDue(schedule: Schedule, nowMs: number): void {
  const [dueMs] = nextDueTimes(schedule, nowMs, 1);
  if (dueMs === undefined)
    throw refusal('schedule.at', sentence`The task would never be due: choose a time to come.`);
  if (dueMs - nowMs > longestWaitMs) {
    throw refusal('schedule.at', sentence`The task would be due too late: choose a time within 366 days.`);
  }
}

function requireZone(schedule: Schedule): void {
  if (schedule.type === 'once') return;
  const { timezone } = schedule;
  // Offsets would be taken too, and they know no summer.
  if (/^[+-]/.test(timezone) || !isTimeZone(timezone)) {
    throw refusal(
      'schedule.timezone',
      sentence`Give the IANA name of a time zone, for example Europe/Berlin.`,
    );
  }
}

function tidy(definition: TaskDefinition): TaskDefinition {
  const { schedule } = definition;
  const days = schedule.type === 'weekly' ? weekdays.filter((day) => schedule.days.includes(day)) : [];
  const tidied = schedule.type === 'weekly' ? { ...schedule, days } : schedule;
  if (definition.kind !== 'campaign_status') return { ...definition, schedule: tidied };
  const cids = [...new Set(definition.parameters.cids)];
  return { ...definition, schedule: tidied, parameters: { ...definition.parameters, cids } };
}

function parametersText(kind: unknown): Sentence {
  const names = parameterNames[kind as TaskKind];
  return sentence`The parameters of ${String(kind)} are ${ownWords(names)}.`;
}

function refusal(field: string, message: Sentence): AppError {
  const fields: FieldError[] = [{ field, code: 'not_valid', message }];
  return argumentsInvalid(fields);
}
