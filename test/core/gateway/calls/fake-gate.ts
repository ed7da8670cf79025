import type { AgentGate, ToolCallRequest } from '#core/proposals/index.ts';
import type { ProposalView } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { exampleProposal } from '#test/fixtures/proposal.ts';

/** A call that reached the gate. */
export interface Held {
  request: ToolCallRequest;
  view: ProposalView;
  answer: JsonObject | null;
  /** Reports of the surface about the call: its agent has a receipt, or has left. */
  reported: ('receipt' | 'left')[];
}

/** A gate at which the test decides instead of a person. */
export interface FakeGate extends AgentGate {
  held: Held[];
  /** Sessions that their agents ended. */
  ended: string[];
  /** The failure of the next proposals; null if they succeed. */
  refuseWith: AppError | null;
  /** Resolves with the call of this number, counted from 1, once the surface waits for its outcome. */
  came(number?: number): Promise<Held>;
  /** The number of calls that wait for a proposal. */
  waiting(id: string): number;
  /** Resolves when the surface has reported this about a call. */
  heard(what: 'receipt' | 'left', number?: number): Promise<void>;
  /** Settles a call, as a decision or its expiry would. */
  settle(change: Partial<ProposalView>, how?: { number?: number; answer?: JsonObject }): void;
}

export function createFakeGate(): FakeGate {
  const held: Held[] = [];
  const waits = new Map<string, Set<() => void>>();
  const watching = new Set<() => void>();
  const wake = (): void => watching.forEach((look) => look());

  async function until<T>(look: () => T | null): Promise<T> {
    for (;;) {
      const found = look();
      if (found !== null) return found;
      await new Promise<void>((resolve) => watching.add(resolve));
      watching.clear();
    }
  }

  function named(id: string): Held {
    const found = held.find(({ view }) => view.id === id);
    if (found === undefined) throw new AppError('proposal_not_found');
    return found;
  }

  const gate: FakeGate = {
    held,
    ended: [],
    refuseWith: null,
    async propose(request) {
      if (gate.refuseWith !== null) throw gate.refuseWith;
      const view = exampleProposal({ id: `proposal-${held.length + 1}`, state: 'proposed' });
      held.push({ request, view, answer: null, reported: [] });
      return view;
    },
    untilSettled(id, signal) {
      const { promise, resolve } = Promise.withResolvers<ProposalView>();
      const done = (): void => {
        waits.get(id)?.delete(done);
        resolve(named(id).view);
        wake();
      };
      waits.set(id, (waits.get(id) ?? new Set()).add(done));
      if (signal.aborted) done();
      signal.addEventListener('abort', done, { once: true });
      wake();
      return promise;
    },
    find(agentId, id) {
      const { request, view } = named(id);
      if (request.agent.id !== agentId) throw new AppError('proposal_not_found');
      return view;
    },
    task(agentId, id) {
      const { createdAtMs, updatedAtMs } = named(id).view;
      return { view: gate.find(agentId, id), tool: named(id).request.tool.name, createdAtMs, updatedAtMs };
    },
    withdraw(agentId, id) {
      const { state } = gate.find(agentId, id);
      const outcome = { code: 'proposal_withdrawn', message: 'Cancelled.', next: '', fields: [] } as never;
      if (state === 'proposed') gate.settle({ state: 'withdrawn', outcome }, { number: Number(id.slice(9)) });
    },
    answerOf: (id) => named(id).answer,
    ledgerRowOf: () => 7,
    giveReceipt(id) {
      named(id).reported.push('receipt');
      wake();
    },
    abandon(id) {
      named(id).reported.push('left');
      wake();
    },
    endSession(sessionId) {
      gate.ended.push(sessionId);
      wake();
    },
    withdrawAll() {},
    came: (number = 1) =>
      until(() => {
        const one = held[number - 1];
        return one !== undefined && (waits.get(one.view.id)?.size ?? 0) > 0 ? one : null;
      }),
    waiting: (id) => waits.get(id)?.size ?? 0,
    heard: async (what, number = 1) => {
      await until(() => (held[number - 1]?.reported.includes(what) === true ? true : null));
    },
    settle(change, { number = 1, answer } = {}) {
      const one = held[number - 1];
      if (one === undefined) throw new Error('No such call');
      one.view = { ...one.view, ...change };
      if (answer !== undefined) one.answer = answer;
      for (const done of waits.get(one.view.id) ?? []) done();
    },
  };
  return gate;
}
