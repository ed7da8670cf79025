import { z } from 'zod';
import { AppError, type FieldError } from '#shared/errors/index.ts';
import { jsonEqual, type JsonObject } from '#shared/lib/json/json-value.ts';
import type { BackendReader } from '#core/store/backend/index.ts';
import { hashOf, type WriteKind } from '../operations/write-kind.ts';
import { type RemotePrincipal, textIn } from '../remote-call/tool.ts';
import {
  definitionInput,
  definitionOutput,
  moduleOf,
  requirePossibleBid,
  requireTargets,
  type TaskDefinition,
  type TaskTargets,
  definitionSchema,
  type TaskKind,
  maxEndedTasks,
  maxLiveTasks,
} from './definition.ts';
import { nextDue, nextDueTimes, weekdays, type Schedule } from './schedule.ts';
import { argumentsInvalid } from '#core/mcp-server/index.ts';
import { isTimeZone } from '#shared/campaign/index.ts';
import { ownWords, type Sentence, sentence } from '#shared/lib/sentence.ts';

const shownDueTimes = 3;

const isoTime = (ms: number): string => new Date(ms).toISOString();

/** Calls `added` inside the commit's transaction. */
export function taskWrite(targets: TaskTargets, added: () => void): WriteKind {
  const { store, clock, ids } = targets.service;
  return {
    name: 'task',
    tool: {
      name: 'svc_prepare_task',
      title: 'Prepare a scheduled task',
      description:
        'Prepares a task that exports a report, or one that asks for an approval of a change of status or bid each time it is due. There are no other tasks.',
      input: definitionInput,
      payload: z.strictObject({ ...definitionOutput, id: z.string() }),
    },
    scopes: ['offline_access'],
    modules: ['tasks'],
    prepare(principal, args) {
      const nowMs = clock.nowMs();
      const definition = readDefinition(args, nowMs);
      requireAllowed(targets, principal, definition);
      const id = ids.id();
      const payload = { id, ...jsonOf(definition) };
      const due = nextDueTimes(definition.schedule, nowMs, shownDueTimes).map(isoTime);
      const lines = Object.entries(jsonOf(definition)).map(([field, to]) => ({ field, from: null, to }));
      return {
        target: `task:${id}`,
        payload,
        diff: [...lines, { field: 'dueTimes', from: null, to: due }],
        warnings: taskWarnings(definition, targets.service.store.read, principal.member.uid),
        revision: hashOf(payload),
      };
    },
    revision: (principal, payload) => (isPossible(targets, principal, payload) ? hashOf(payload) : null),
    apply(principal, payload) {
      const nowMs = clock.nowMs();
      const definition = definitionIn(payload, nowMs);
      requireAllowed(targets, principal, definition);
      const { uid } = principal.member;
      store.tasks.write.addTask({
        id: textIn(payload, 'id'),
        uid,
        clientId: principal.clientId,
        grantId: principal.grantId,
        scopes: [...principal.scopes].join(' '),
        definition: JSON.stringify(definition),
        state: 'active',
        reason: null,
        createdAtMs: nowMs,
        nextDueAtMs: nextDue(definition.schedule, nowMs),
        approval: null,
        approvalExpiresAtMs: null,
      });
      store.tasks.write.keepNewestEnded(uid, maxEndedTasks);
      added();
    },
    verify(principal, payload) {
      const task = store.tasks.read.task(textIn(payload, 'id'));
      const { id: _id, ...wanted } = payload;
      const isStored =
        task?.uid === principal.member.uid && jsonEqual(JSON.parse(task.definition) as JsonObject, wanted);
      if (!isStored) return { stored: 'none', data: { task: null } };
      const nextDueAt = task.nextDueAtMs === null ? null : isoTime(task.nextDueAtMs);
      return { stored: 'all', data: { task: { id: task.id, state: task.state, nextDueAt } } };
    },
  };
}

function definitionIn({ id: _id, ...args }: JsonObject, nowMs: number): TaskDefinition {
  return readDefinition(args, nowMs);
}

function requireAllowed(targets: TaskTargets, principal: RemotePrincipal, definition: TaskDefinition): void {
  const { uid } = principal.member;
  const { read, tasks } = targets.service.store;
  if (read.member(uid)?.modules.includes(moduleOf(definition)) !== true) throw new AppError('module_denied');
  requireTargets(targets, uid, definition);
  requirePossibleBid(targets, uid, definition);
  if (tasks.read.count(uid, ['active', 'due']) >= maxLiveTasks) {
    throw new AppError('operation_refused', {
      message: `An account has at most ${maxLiveTasks} tasks. Cancel one first.`,
    });
  }
}

function isPossible(targets: TaskTargets, principal: RemotePrincipal, payload: JsonObject): boolean {
  try {
    const definition = definitionIn(payload, targets.service.clock.nowMs());
    requireTargets(targets, principal.member.uid, definition);
    return true;
  } catch (failure) {
    if (failure instanceof AppError && failure.status < 500) return false;
    throw failure;
  }
}

/** Removes undefined members, because JSON does not have them. */
function jsonOf(definition: TaskDefinition): JsonObject {
  return JSON.parse(JSON.stringify(definition)) as JsonObject;
}

function taskWarnings(definition: TaskDefinition, read: BackendReader, uid: number): string[] {
  const missed = 'Due times that pass while the service is down are not made up for: one run follows.';
  if (definition.kind === 'report_export') {
    return [`Each time it is due, a report is made and kept; the newest ones can be read. ${missed}`];
  }
  const warnings = [
    `Each time it is due, nothing is changed yet: an approval waits, and a person decides. ${missed}`,
  ];
  if (definition.kind === 'campaign_bid') return warnings;
  const { cids, status } = definition.parameters;
  if (status === 'active') warnings.push('Active campaigns spend money.');
  const starts = status === 'active' || status === 'scheduled';
  const own = [...read.statuses(uid, cids).keys()];
  const waiting = own.filter((cid) => read.isUnapproved(cid));
  if (starts && waiting.length > 0) {
    warnings.push(`Not approved, and refused when due unless that has changed: ${waiting.join(', ')}.`);
  }
  return warnings;
}

const maxWaitMs = 366 * 24 * 60 * 60 * 1000;

const parameterNames: Readonly<Record<TaskKind, string>> = {
  report_export: 'report, tid or sid, lastDays, groupBy and format',
  campaign_status: 'cids and status',
  campaign_bid: 'cid and payout',
};

function readDefinition(args: JsonObject, nowMs: number): TaskDefinition {
  const read = definitionSchema.safeParse(args);
  if (!read.success) throw refusal('parameters', parametersText(args['kind']));
  const definition = read.data;
  requireZone(definition.schedule);
  requireDue(definition.schedule, nowMs);
  return tidy(definition);
}

function requireDue(schedule: Schedule, nowMs: number): void {
  const [dueMs] = nextDueTimes(schedule, nowMs, 1);
  if (dueMs === undefined)
    throw refusal('schedule.at', sentence`The task would never be due: choose a time to come.`);
  if (dueMs - nowMs > maxWaitMs) {
    throw refusal('schedule.at', sentence`The task would be due too late: choose a time within 366 days.`);
  }
}

function requireZone(schedule: Schedule): void {
  if (schedule.type === 'once') return;
  const { timezone } = schedule;
  // `Intl` accepts offsets such as +01:00 as zones, but an offset has no daylight saving time.
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
