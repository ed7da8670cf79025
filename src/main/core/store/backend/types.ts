import type { CampaignContext, CampaignRow, SortColumn, StatusCode } from '#shared/contract/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';

/** A part of the service that an account may use. */
export type Module = 'campaigns' | 'uploads' | 'xml' | 'search' | 'tasks';

export interface Member {
  uid: number;
  name: string;
  role: 'member' | 'publisher';
  balanceMicros: number;
  /** True if the member's menu has the remote tools. */
  mcpMenu: boolean;
  /** The modules that it may use through the remote tools (contract §4.3, `svc_whoami`). */
  modules: readonly Module[];
}

/** A stored campaign: the complete payload, and the list row made from it (contract §2.2). */
export interface CampaignRecord {
  payload: JsonObject;
  row: CampaignRow;
  type: number;
}

/** The query of the list, already checked. */
export interface CampaignListQuery {
  uid: number;
  /** An exact campaign id, or a part of the name in any case, or neither. */
  match: { kind: 'all' } | { kind: 'cid'; cid: number } | { kind: 'text'; text: string };
  status: StatusCode | null;
  /** Empty means every type. */
  types: readonly number[];
  sort: SortColumn;
  order: 'asc' | 'desc';
  offset: number;
  limit: number;
}

/** One page: rows as JSON texts, ready to be sent, and how many there are in all. */
export interface CampaignListPage {
  rows: readonly string[];
  total: number;
}

/** Reads the service's data; never changes it. */
export interface BackendReader {
  /** True until demo data is made. */
  isEmpty(): boolean;
  member(uid: number): Member | null;
  tenant(): CampaignContext;
  list(query: CampaignListQuery): CampaignListPage;
  /** The complete campaign as JSON text; null if it is absent or another member's. */
  payload(uid: number, cid: number): string | null;
  /** The status of each of these campaigns that the member owns. */
  statuses(uid: number, cids: readonly number[]): Map<number, StatusCode>;
  /** True if the campaign arrived as Pending and was not approved since, whatever its current status. */
  isUnapproved(cid: number): boolean;
}

/** Changes the service's data; call inside a transaction. */
export interface BackendWriter {
  addMember(member: Member): void;
  /** Changes what a member may do through the remote tools, at once. */
  setAccess(uid: number, access: Partial<Pick<Member, 'mcpMenu' | 'modules'>>): void;
  setBalance(uid: number, balanceMicros: number): void;
  setTenant(tenant: CampaignContext): void;
  addCampaign(record: CampaignRecord): void;
  replaceCampaign(record: CampaignRecord): void;
  setStatus(cids: readonly number[], status: StatusCode): void;
}

/**
 * The state of a task. `due`: a change waits for its approval; `ended`: nothing more is due; `suspended`: something that it
 * needs was taken away.
 */
export const taskStates = ['active', 'due', 'cancelled', 'ended', 'suspended'] as const;

export type TaskState = (typeof taskStates)[number];

/**
 * The outcome of one due time. Reports: `running`, `stored`, `no_data`, `failed`. Changes: `waiting`, `committed`, `expired`,
 * `cancelled`, `nothing_to_do`, `refused`. Either: `suspended`.
 */
export const runOutcomes = [
  'running',
  'stored',
  'no_data',
  'failed',
  'waiting',
  'committed',
  'expired',
  'cancelled',
  'nothing_to_do',
  'refused',
  'suspended',
] as const;

export type RunOutcome = (typeof runOutcomes)[number];

/** A scheduled task. JSON is text here. */
export interface TaskRow {
  id: string;
  uid: number;
  clientId: string;
  grantId: string | null;
  /** Scopes of the principal that made it, separated by spaces. */
  scopes: string;
  /** Name, kind, schedule and parameters. */
  definition: string;
  state: TaskState;
  /** Reason for the suspension: a code of the error catalogue. */
  reason: string | null;
  createdAtMs: number;
  nextDueAtMs: number | null;
  /** The answer of the prepare of the due change, while it waits. */
  approval: string | null;
  approvalExpiresAtMs: number | null;
}

/** One due time of a task that was looked at. */
export interface TaskRunRow {
  id: string;
  taskId: string;
  dueAtMs: number;
  ranAtMs: number;
  /** Number of earlier due times that passed while the service was down. */
  missed: number;
  outcome: RunOutcome;
  /** Reason for the failure, refusal or suspension: a code of the error catalogue. */
  reason: string | null;
  rowCount: number | null;
  byteCount: number | null;
}

export interface TaskFile {
  contentType: string;
  content: string;
}

/** Reads tasks; never changes them. */
export interface TaskReader {
  task(id: string): TaskRow | null;
  /** The tasks of an account, newest first; how many it may have is bounded. */
  list(uid: number): TaskRow[];
  count(uid: number, states: readonly TaskState[]): number;
  firstDue(nowMs: number): TaskRow | null;
  waiting(): TaskRow[];
  /** When the next task is due or the next approval expires. */
  nextWakeMs(): number | null;
  lastRun(taskId: string): TaskRunRow | null;
  /** The run that was begun first and has not come to its end. */
  firstUnfinished(): TaskRunRow | null;
  file(uid: number, runId: string): TaskFile | null;
}

/** Changes tasks; call inside a transaction. */
export interface TaskWriter {
  addTask(task: TaskRow): void;
  /** Replaces what moves: state, reason, due time and approval. */
  setTask(task: TaskRow): void;
  addRun(run: TaskRunRow): void;
  /** Replaces what moves: outcome, reason and the sizes of the file. */
  setRun(run: TaskRunRow): void;
  addFile(runId: string, file: TaskFile): void;
  keepNewestRuns(taskId: string, max: { runs: number; files: number }): void;
  /** Keeps the newest `max` ended tasks of an account and removes the others. */
  keepNewestEnded(uid: number, max: number): void;
}
