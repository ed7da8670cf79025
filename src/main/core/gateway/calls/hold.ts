import type { CallContext, ToolResult } from '#core/mcp-server/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { AgentGate, ProposalStatus, ToolCallRequest } from '#core/proposals/index.ts';
import { isOpen } from '#shared/proposals/states.ts';
import type { JsonValue } from '#shared/lib/json/json-value.ts';
import { answerTo } from '../answers/answer.ts';
import type { WaitForOutcome } from './own-tools.ts';

interface HeldCall {
  context: CallContext;
  outputSchema: JsonValue | undefined;
}

/** Lets writes of agents wait for a person (docs/agents.md). */
export interface Hold {
  /**
   * Proposes the call and waits until it has settled, or until its limit for a receipt. A call that ends before its
   * answer, or fails, withdraws its proposal; if its session ends, it is answered all the same. Fails as the gate does.
   */
  call(request: ToolCallRequest, held: HeldCall): Promise<ToolResult>;
  wait: WaitForOutcome;
}

/** The wait for the proposal to settle after the session has ended, in milliseconds: shorter than the session waits. */
const lastWaitMs = 1_500;

export function createHold({ gate, clock }: { gate: AgentGate; clock: Clock }): Hold {
  /** Waits for a decision until the limit, and reports the elapsed time if the client asked for progress. */
  async function settled(
    view: ProposalStatus,
    { context, limitMs }: { context: CallContext; limitMs: number },
  ): Promise<ProposalStatus> {
    if (!isOpen(view.state) || limitMs <= 0) return view;
    const limit = new AbortController();
    const cancelLimit = clock.after(limitMs, () => limit.abort());
    const endProgress = reportProgress(context, clock);
    try {
      return await gate.untilSettled(view.id, AbortSignal.any([context.signal, limit.signal]));
    } finally {
      cancelLimit();
      endProgress();
    }
  }

  async function answerOf(
    proposed: ProposalStatus,
    { context, outputSchema }: HeldCall,
  ): Promise<ToolResult> {
    let view = await settled(proposed, { context, limitMs: limitOf(context) });
    if (context.signal.aborted) gate.abandon(proposed.id);
    // "Nothing was sent" is answered only once that is on record: the proposal settles as soon as it is withdrawn.
    if (isOpen(view.state) && context.isEnding)
      view = await gate.untilSettled(view.id, AbortSignal.timeout(lastWaitMs));
    if (isOpen(view.state) && !context.signal.aborted) gate.giveReceipt(view.id);
    return answerOn(view, { outputSchema, isAwaited: false });
  }

  function answerOn(
    view: ProposalStatus,
    to: { outputSchema: JsonValue | undefined; isAwaited: boolean },
  ): ToolResult {
    const answered = { ...view, ledgerRow: gate.ledgerRowOf(view.id) };
    return answerTo({ view: answered, answer: gate.answerOf(view.id), ...to });
  }

  return {
    async call(request, held) {
      const proposed = await gate.propose(request);
      try {
        return await answerOf(proposed, held);
      } catch (failure) {
        // An agent that hears of a failure, such as a receipt that the disk refuses, waits for nothing.
        gate.abandon(proposed.id);
        throw failure;
      }
    },
    async wait(agentId, { context, proposalId, waitMs }) {
      const found = gate.find(agentId, proposalId);
      const limitMs = Math.min(waitMs ?? Infinity, limitOf(context));
      const view = await settled(found, { context, limitMs });
      return answerOn(view, { outputSchema: undefined, isAwaited: true });
    },
  };
}

/** The wait for a decision, in milliseconds: a client may give up on a call that is silent for a minute. */
const waitsMs = { silent: 45_000, withProgress: 240_000 } as const;

const progressEveryMs = 10_000;

function limitOf({ wantsProgress }: CallContext): number {
  return wantsProgress ? waitsMs.withProgress : waitsMs.silent;
}

function reportProgress(context: CallContext, clock: Clock): () => void {
  if (!context.wantsProgress) return () => {};
  const startedAtMs = clock.monotonicMs();
  let cancel = clock.after(progressEveryMs, report);
  function report(): void {
    const seconds = Math.round((clock.monotonicMs() - startedAtMs) / 1000);
    void context.progress(seconds, undefined, `Waiting for a person. ${seconds} s`);
    cancel = clock.after(progressEveryMs, report);
  }
  return () => cancel();
}
