import type { NewEntry } from '#core/ledger/index.ts';
import type { StoredProposal } from '#core/store/app/index.ts';
import type { ProposalState } from '#shared/app-api/index.ts';
import { quotedStart } from '#shared/lib/inert-text.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';
import { sha256 } from '../operations/fingerprint.ts';
import type { ProposalWords } from '../operations/operation.ts';
import { keyIn } from '../operations/tool-call/call-arguments.ts';
import { taskNamedBy, toolCallParts } from '../operations/tool-call/known-change.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { ownWords, type OwnWords, sentence } from '#shared/lib/sentence.ts';

export interface EntryDetails {
  actor: string;
  via: string | null;
  batch: string | null;
  answer: string | null;
  /** Campaigns that could not be read in time, so that no copy was made. */
  uncopied: readonly number[];
}

interface StateRecord {
  kind: string;
  verb: string;
  listsChanges: boolean;
}

const records: Readonly<Record<ProposalState, StateRecord>> = {
  proposed: { kind: 'proposal.proposed', verb: 'Proposed', listsChanges: true },
  shown: { kind: 'proposal.shown', verb: 'Shown', listsChanges: false },
  approved: { kind: 'proposal.approved', verb: 'Approved', listsChanges: false },
  denied: { kind: 'proposal.denied', verb: 'Denied', listsChanges: true },
  expired: { kind: 'proposal.expired', verb: 'Expired', listsChanges: false },
  withdrawn: { kind: 'proposal.withdrawn', verb: 'Withdrawn', listsChanges: false },
  stale: { kind: 'proposal.stale', verb: 'Stopped, because the campaign changed', listsChanges: false },
  intent: { kind: 'write.intent', verb: 'About to send', listsChanges: false },
  sent: { kind: 'write.sent', verb: 'Sent', listsChanges: false },
  // The first row lists the changes under the approved fingerprint.
  // The row of `differs` lists fields that are not as sent.
  verified: { kind: 'write.verified', verb: 'Saved and verified', listsChanges: false },
  differs: { kind: 'write.differs', verb: 'Not found as sent', listsChanges: true },
  done: { kind: 'write.done', verb: 'Done', listsChanges: true },
  refused: { kind: 'write.refused', verb: 'Refused', listsChanges: true },
  unknown: { kind: 'write.unknown', verb: 'Outcome unknown', listsChanges: false },
};

const admissionVerbs: Partial<Record<ProposalState, string>> = {
  proposed: 'Asked',
  intent: 'About to admit',
  sent: 'Admitting',
  verified: 'Admitted',
  done: 'Admitted',
  refused: 'Not admitted',
};

const maxNamed = 3;
const maxNameLength = 300;

export function entryOf(
  proposal: StoredProposal,
  { batch, answer, uncopied, ...details }: EntryDetails,
  words: () => ProposalWords,
  formats: Formats,
): NewEntry {
  const { kind, verb, listsChanges } = recordOf(proposal);
  const { title, askedBy } = proposal.headline;
  return {
    kind,
    proposalId: proposal.id,
    ...details,
    summary: sentence`${ownWords(verb)}: ${ownWords(title)}${agentsAmong(askedBy, formats)}${because(proposal)}`,
    body: {
      ...(proposal.state === 'proposed' && origin(proposal)),
      ...facts(proposal),
      ...present({ batch, uncopied: [...uncopied], answerHash: hashOf(answer) }),
      ...(listsChanges && whatChanges(words())),
    },
  };
}

function whatChanges({ changes, detail }: ProposalWords): JsonObject {
  if (detail.kind !== 'batch') return { changes: changes.map((change) => present({ ...change })) };
  const members = detail.members.map(({ id, fingerprint, state }) => ({ id, fingerprint, state }));
  return { members, skipped: detail.skipped };
}

function present(members: JsonObject): JsonObject {
  const isPresent = (value: JsonValue): boolean =>
    value !== null && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(members).filter(([, value]) => isPresent(value)));
}

function hashOf(text: string | null): string | null {
  return text === null ? null : sha256(text);
}

function agentsAmong(askers: StoredProposal['headline']['askedBy'], formats: Formats): OwnWords {
  if (askers === null || !askers.some(({ kind }) => kind === 'agent')) return ownWords('');
  const named = askers
    .slice(0, maxNamed)
    .map(({ kind, name }) => (kind === 'agent' ? quotedStart(name, maxNameLength) : 'you'));
  const more = askers.length - named.length;
  const all = more === 0 ? named : [...named, formats.counted(more, 'other')];
  const last = all.at(-1) ?? '';
  return ownWords(`, asked for by ${all.length < 2 ? last : `${all.slice(0, -1).join(', ')} and ${last}`}`);
}

function verbOf({ state, operation, headline, rebase, replacedBy }: StoredProposal): string {
  if (operation === 'agent.admit') return admissionVerbs[state] ?? records[state].verb;
  if (state === 'expired' && replacedBy !== null) return 'Prepared again as another proposal';
  if (state !== 'proposed') return records[state].verb;
  if (rebase?.preparedAgain === true) return 'Prepared again';
  if (rebase !== null) return 'Proposed again on the campaign as it is now';
  const isOfAgents = headline.askedBy?.some(({ kind }) => kind === 'agent') === true;
  return isOfAgents ? 'Put together' : records[state].verb;
}

function recordOf(proposal: StoredProposal): StateRecord {
  const { state, outcome } = proposal;
  const record = { ...records[state], verb: verbOf(proposal) };
  // A read found that the write was not stored. The service did not refuse it.
  if (outcome?.code === 'write_not_stored') return { ...record, verb: 'Not stored' };
  if (outcome?.code !== 'write_waits') return record;
  return {
    ...record,
    kind: 'write.waits',
    verb: 'Waits, because the service takes no more requests for now',
  };
}

const maxReasonLength = 1_000;

function because({ reason }: StoredProposal): OwnWords {
  return ownWords(reason === null ? '' : ` (${quotedStart(reason, maxReasonLength)})`);
}

function origin(proposal: StoredProposal): JsonObject {
  const { operation, profile, targets, payload, rebase, undoes } = proposal;
  return {
    operation,
    account: profile.account,
    ...(operation === 'tool.call' && toolFacts(proposal)),
    targets,
    payloadHash: sha256(payload),
    ...present({ rebase: rebase === null ? null : originOf(rebase), undoes: undoes?.id ?? null }),
  };
}

function originOf({ moved: _moved, ...rebase }: NonNullable<StoredProposal['rebase']>): JsonObject {
  return rebase;
}

function facts(proposal: StoredProposal): JsonObject {
  const { state, profile, proposedBy, fingerprint } = proposal;
  const { replacedBy, conflict, verdicts, outcome, reason } = proposal;
  return {
    ...present({
      profile: profile.id,
      agent: proposedBy.agentId,
      // The person approves the fingerprint, which covers everything in the first row.
      fingerprint: state === 'proposed' || state === 'approved' ? fingerprint : null,
      replacedBy,
      conflict: conflict.map((one) => ({ ...one })),
      outcome: outcome === null ? null : { code: outcome.code, message: outcome.message },
      reason,
    }),
    ...(verdicts.length > 0 && verdictFacts(verdicts)),
  };
}

function verdictFacts(verdicts: StoredProposal['verdicts']): JsonObject {
  return {
    verdicts: verdicts.filter(({ verdict }) => verdict !== 'stored'),
    verdictCount: verdicts.length,
    verdictsHash: sha256(canonicalJson(verdicts)),
  };
}

function toolFacts(proposal: StoredProposal): JsonObject {
  const { tool, name, args, effect, undeclared, task } = toolCallParts(proposal);
  return present({
    tool: tool.name,
    toolDefinitionHash: tool.definitionHash,
    effect,
    task: taskNamedBy({ name, args }, task),
    undeclared,
    idempotencyKeyHash: hashOf(keyIn(args)),
  });
}
