import type { Connection } from '#core/connections/index.ts';
import { ExactJson } from '#core/service-client/index.ts';
import type { StoredProposal } from '#core/store/app/index.ts';
import { serviceDay } from '#shared/campaign/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import type { Effect, Operation } from '../operation.ts';
import { statusEffects } from '../status/read-back.ts';
import { updateEffects } from '../update/read-back.ts';
import { knownChange, type ToolCallBase, toolCallParts } from './base.ts';
import { answerIn, assertAccepted, readBackToolCall } from './read-back.ts';
import { rereadToolCall } from './reread.ts';

export interface ToolCallOptions {
  connectionOf(proposal: Pick<StoredProposal, 'profile'>): Connection;
  nowMs(): number;
  /** The answer that is kept with the call, as JSON text; null while there is none. */
  answerOf(proposalId: string): string | null;
  /** Reads the service's tools again: whether this one is offered as it is pinned. Fails as the read does. */
  isOfferedAsPinned(profileId: string, tool: ToolCallBase['tool']): Promise<boolean>;
}

/** A call of one of the service's tools (contract §4.3, tools/call). */
export function createToolCallOperation(options: ToolCallOptions): Operation {
  const { connectionOf, nowMs, answerOf, isOfferedAsPinned } = options;
  return {
    async reread(proposal) {
      const client = connectionOf(proposal).campaigns;
      const today = serviceDay(nowMs(), proposal.profile.zone);
      const found = await rereadToolCall({ client, today }, proposal);
      if (found.kind !== 'unchanged') return found;
      // Read last, and never by what was announced: a definition may change while a person reads, without a word.
      const { tool } = toolCallParts(proposal);
      const isSame = await isOfferedAsPinned(proposal.profile.id, tool);
      return isSame ? found : { kind: 'impossible', failure: new AppError('tool_held') };
    },
    async send(proposal) {
      const { name, args } = toolCallParts(proposal);
      const result = await connectionOf(proposal).remote.callTool(name, new ExactJson(canonicalJson(args)));
      assertAccepted(result);
      return JSON.stringify(result);
    },
    readBack(proposal) {
      const { campaigns: reader, remote } = connectionOf(proposal);
      const text = answerOf(proposal.id);
      const answer = text === null ? null : answerIn(text);
      return readBackToolCall({ reader, remote, answer }, proposal);
    },
  };
}

/** Effects of a call whose change is known and was read back; none of any other. */
export function toolCallEffects(proposal: StoredProposal): Effect[] {
  const parts = toolCallParts(proposal);
  const known = knownChange(parts);
  if (known === null) return [];
  const change = { ...proposal, ...known };
  return parts.subject.kind === 'update' ? updateEffects(change) : statusEffects(change);
}
