import { randomUUID } from 'node:crypto';
import { AppError } from '#shared/errors/index.ts';
import { inertText, quoted } from '#shared/lib/inert-text.ts';
import { isJsonObject, type JsonObject } from '#shared/lib/json/json-value.ts';
import type { Connection, ToolAnswer } from './connection.ts';
import type { SampleAgentView } from '#shared/app-api/index.ts';
import type { PlannedChange } from './ideas.ts';

/** A write by the tools of the service. */
export interface PreparedWrite {
  /** The tool that prepares it, and its arguments. */
  tool: 'svc_prepare_campaign_update' | 'svc_prepare_campaign_status';
  args: JsonObject;
  /** The agent's own words; null where it gives none. */
  why: string | null;
  /** Further arguments of the commit. */
  beside?: JsonObject | undefined;
}

/**
 * Prepares the change, states the reason, commits it, and waits for the decision. Until the commit has become a proposal nothing else
 * may be called on the connection: a note belongs to the next write of its session. Fails as the connection does.
 */
export async function commitWrite(
  { tool, args, why, beside }: PreparedWrite,
  { call }: Pick<Connection, 'call'>,
  onCommit?: () => void,
): Promise<ToolAnswer> {
  const prepared = await call(tool, args);
  const commit = commitOf(prepared);
  if (commit === null) return prepared;
  if (why !== null) await call('countersign_note', { text: why });
  onCommit?.();
  let answer = await call('svc_commit', { ...commit, ...beside });
  while (answer.kind === 'waiting') {
    answer = await call('countersign_await', { proposalId: answer.proposalId });
  }
  return answer;
}

/** The sample agent's activity so far, in plain sentences. */
export interface Activity {
  view(): SampleAgentView;
  become(state: SampleAgentView['state']): void;
  /** One sentence; `isGood` says how it went for the agent, null if that is not the question. */
  report(text: string, isGood?: boolean | null): void;
}

/** End of a change. */
export type ChangeEnd = 'approved' | 'denied' | 'other';

/** Proposes the change on a connection that does nothing else meanwhile. Fails as the connection does. */
export async function propose(
  change: PlannedChange,
  connection: Connection,
  activity: Activity,
): Promise<ChangeEnd> {
  const onCommit = (): void => activity.report(`Asked to ${change.what}.`);
  return reportEnd(change, await commitWrite(change, connection, onCommit), activity);
}

/** The arguments that commit what was prepared, unchanged (contract §4.3); null if nothing was. */
function commitOf(prepared: ToolAnswer): JsonObject | null {
  if (prepared.kind !== 'done' || !isJsonObject(prepared.data)) return null;
  const { approval, payload } = prepared.data;
  if (!isJsonObject(approval) || payload === undefined) return null;
  const { id: approvalId = '', fingerprint = '' } = approval;
  return { approvalId, fingerprint, payload, idempotencyKey: randomUUID() };
}

function reportEnd({ what }: PlannedChange, answer: ToolAnswer, activity: Activity): ChangeEnd {
  switch (answer.kind) {
    case 'done':
      activity.report(`You approved, and it is done: ${what}.`, true);
      return 'approved';
    case 'denied':
      activity.report(`You denied: ${what}.${reasonText(answer.reason)}`, false);
      return 'denied';
    case 'waiting':
      return 'other';
    case 'differs':
      activity.report(`You approved, and it is stored differently: ${what}.`, false);
      return 'approved';
    case 'refused':
      // Its access is gone: no other call would pass.
      if (answer.code === 'agent_ended') throw new AppError('token_invalid');
      activity.report(`Not done: ${what}. ${inertText(answer.message)}`, false);
      return 'other';
  }
}

function reasonText(reason: string | null): string {
  return reason === null ? '' : ` Your reason: ${quoted(reason)}`;
}
