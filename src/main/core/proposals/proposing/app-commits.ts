import type { Connections } from '#core/connections/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import { viewOf } from '#core/profiles/index.ts';
import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import type { ProposalView } from '#shared/app-api/index.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { sha256 } from '../operations/fingerprint.ts';
import type { Journal } from '../lifecycle/journal.ts';
import type { Proposer } from '../operations/operation.ts';
import { outcomeWith } from '../operations/outcome.ts';
import type { Proposition } from './proposing.ts';
import { isUndecided } from '#shared/proposals/states.ts';
import {
  assertExact,
  prepareToolCall,
  sentArguments,
  type ToolCallRequest,
  createComparisonsOf,
} from '../operations/tool-call/prepare.ts';
import { toolCallParts } from '../operations/tool-call/known-change.ts';
import type { TaskOfCall, UploadFor, UploadOfCall } from '../operations/tool-call/stored-parts.ts';
import { loadProposal } from '../operations/stored-proposals.ts';
import type { Formats } from '#shared/lib/formats.ts';

export interface AppCommit {
  profileId: string;
  tool: ToolCallRequest['tool'];
  approval: { id: string; fingerprint: string; endsAtMs: number };
  payload: JsonObject;
  /** The fields that change, or null if the service did not list them. */
  changes: readonly string[] | null;
  about: { kind: 'task'; task: TaskOfCall } | { kind: 'upload'; upload: UploadOfCall; uploadFor?: UploadFor };
  /** Runs in the transaction of the proposal. If it fails, the proposal is rolled back. */
  record?(proposalId: string): void;
}

export interface DueApproval {
  taskId: string;
  approvalId: string;
}

interface ScheduleCommitsOptions {
  store: AppStore;
  connections: Pick<Connections, 'of'>;
  propose(proposition: Proposition): Promise<StoredProposal>;
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  journal: Journal;
  hide(id: string): void;
  clock: Clock;
  view(proposal: StoredProposal): ProposalView;
  formats(): Formats;
}

export type ScheduleCommits = ReturnType<typeof createScheduleCommits>;

export function createScheduleCommits(options: ScheduleCommitsOptions) {
  const { store, connections, journal, hide, clock, propose, view, run, formats } = options;

  function latestOf(profileId: string, approvalId: string): StoredProposal | null {
    const call = store.agentCalls.byKey(ownerOf(profileId), keyOf(approvalId));
    return call === null ? null : loadProposal(store, call.proposalId);
  }

  function proposalOfApproval(profileId: string, approvalId: string): StoredProposal | null {
    const latest = latestOf(profileId, approvalId);
    return latest === null || leftApprovalUnused(latest) ? null : latest;
  }

  async function proposeCommit(commit: AppCommit): Promise<ProposalView | null> {
    const { profileId, approval, payload, about } = commit;
    const task = about.kind === 'task' ? about.task : null;
    if (proposalOfApproval(profileId, approval.id) !== null) return null;
    const args = sentArguments({ tool: commit.tool, args: argumentsOf(commit) });
    assertExact(args);
    const connection = connections.of(profileId);
    const { campaigns: client, profile } = connection;
    const isDue = task?.act === 'due';
    const request = {
      tool: commit.tool,
      undeclared: [],
      prepared: { payload, changes: commit.changes, endsAtMs: approval.endsAtMs },
    };
    const proposal = await propose({
      connection,
      proposer: { profile: viewOf(profile), proposedBy: proposerOf(task), quotation: null },
      cids: [],
      async prepare() {
        const nowMs = clock.nowMs();
        const comparisonsOf = createComparisonsOf(store, profileId, nowMs);
        const { kind: _kind, ...named } = about;
        const draft = await prepareToolCall(
          { client, today: connection.today() },
          { request, args, nowMs, comparisonsOf, ...named },
          formats(),
        );
        return isDue ? { ...draft, lifetimeMs: Infinity } : draft;
      },
      record({ id: proposalId, createdAtMs }) {
        const earlier = latestOf(profileId, approval.id);
        if (earlier !== null) store.agentCalls.releaseKey(earlier.id);
        store.agentCalls.insert({
          proposalId,
          agentId: ownerOf(profileId),
          sessionId: task?.id ?? 'upload',
          idempotencyKey: keyOf(approval.id),
          requestHash: sha256(canonicalJson(args)),
          receiptAtMs: createdAtMs,
          answer: null,
        });
        commit.record?.(proposalId);
      },
    });
    return view(proposal);
  }

  return {
    /**
     * Null if the approval has a proposal. Fails with `approval_invalid`,
     * `too_many_waiting`, `campaign_locked`, or as reads and `record`.
     */
    proposeCommit: (commit: AppCommit): Promise<ProposalView | null> => run(() => proposeCommit(commit)),
    proposalOfApproval,
    proposalsOfTask: (profileId: string, taskId: string): StoredProposal[] =>
      store.agentCalls.ofSession(ownerOf(profileId), taskId).map((id) => loadProposal(store, id)),
    endDue(profileId: string, hasEnded: (due: DueApproval) => boolean): void {
      for (const listed of store.proposals.undecided()) {
        const { id, profile, proposedBy, operation } = listed;
        if (proposedBy.kind !== 'schedule' || profile.id !== profileId || operation !== 'tool.call') continue;
        const proposal = loadProposal(store, id);
        const { task, args } = toolCallParts(proposal);
        const { approvalId } = args;
        if (task === null || typeof approvalId !== 'string') continue;
        if (!hasEnded({ taskId: task.id, approvalId })) continue;
        store.transaction(() => {
          const ended = isUndecided(proposal.state);
          if (ended)
            journal.move(proposal, 'withdrawn', { set: { outcome: outcomeWith('due_approval_ended') } });
          store.afterCommit(() => hide(proposal.id));
        });
      }
    },
  };
}

/** True if nothing was sent or stored, neither a person nor the service refused it, and its time was not over. */
export function leftApprovalUnused({ state, outcome }: Pick<StoredProposal, 'state' | 'outcome'>): boolean {
  switch (state) {
    case 'withdrawn':
      // A proposal that a person withdrew has no outcome.
      return outcome !== null;
    case 'stale':
      return true;
    case 'expired':
      return outcome?.code === 'not_sent_in_time';
    case 'refused':
      return outcome?.code !== 'tool_refused';
    default:
      return false;
  }
}

/** The owner of the app's own calls in the table of agents' calls. It contains a colon, so that it cannot be an agent's id. */
function ownerOf(profileId: string): string {
  return `schedules:${profileId}`;
}

/** One key per approval, because the service executes each approval once, however often it is proposed. */
function keyOf(approvalId: string): string {
  return `task-${sha256(approvalId)}`;
}

function argumentsOf({ approval: { id: approvalId, fingerprint }, payload }: AppCommit): JsonObject {
  return { approvalId, fingerprint, payload, idempotencyKey: keyOf(approvalId), confirmed: true };
}

function proposerOf(task: TaskOfCall | null): Proposer['proposedBy'] {
  const noAgent = { sinceMs: null, agentId: null };
  if (task?.act !== 'due') return { kind: 'person', name: 'You', ...noAgent };
  return { kind: 'schedule', name: task.listed?.name ?? task.id, ...noAgent };
}
