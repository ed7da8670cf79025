import type { Connection } from '#core/connections/index.ts';
import { ExactJson } from '#core/service-client/index.ts';
import type { StoredProposal } from '#core/store/app/index.ts';
import { serviceDay } from '#shared/campaign/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import type { Operation, Reread } from '../operation.ts';
import { answerIn, assertAccepted } from './answers.ts';
import { toolCallParts, type ToolCallBase } from './base.ts';
import { readBackToolCall } from './read-back.ts';
import { rereadToolCall } from './reread.ts';
import { toolCallWords } from './words.ts';

export interface ToolCallOptions {
  connectionOf(proposal: Pick<StoredProposal, 'profile'>): Connection;
  nowMs(): number;
  /** The answer that is kept with the call, as JSON text; null while there is none. */
  answerOf(proposalId: string): string | null;
  /** Whether this is the definition that is pinned still. */
  isPinned(profileId: string, tool: ToolCallBase['tool']): boolean;
}

/** A call of one of the service's tools (contract §4.3, tools/call). */
export function createToolCallOperation(options: ToolCallOptions): Operation {
  const { connectionOf, nowMs, answerOf, isPinned } = options;
  return {
    words: toolCallWords,
    async reread(proposal) {
      const { tool } = toolCallParts(proposal);
      const isHeld = (): boolean => !isPinned(proposal.profile.id, tool);
      if (isHeld()) return held();
      const client = connectionOf(proposal).campaigns;
      const today = serviceDay(nowMs(), proposal.profile.zone);
      const found = await rereadToolCall({ client, today }, proposal);
      // The service may have changed it while it was read.
      return isHeld() ? held() : found;
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

function held(): Reread {
  return { kind: 'impossible', failure: new AppError('tool_held') };
}

export { answerIn } from './answers.ts';
export { toolCallParts } from './base.ts';
export { commitTool, isCommitMember, keyIn } from './call-arguments.ts';
export { toolCallEffects } from './effects.ts';
export { assertExact, prepareToolCall, sentArguments } from './prepare.ts';
export { cidsIn } from './named-campaigns.ts';
export { rememberedMs } from './not-compared.ts';
export { assertReadable } from './readable.ts';
export type { CallingAgent, ToolCallRequest } from './request.ts';
