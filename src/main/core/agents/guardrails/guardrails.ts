import type { Ledger } from '#core/ledger/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { AgentGuard, Guarded } from '#core/proposals/index.ts';
import type { AppStore } from '#core/store/app/index.ts';
import { guardrailsSchema, type Guardrails } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { Agents } from '../agents.ts';
import type { Freeze } from '../freeze.ts';
import { rules, rulesOfOneChange } from './rules/index.ts';
import { fromStored } from './stored.ts';

/** Limits for every agent; kept in the settings, every change of them in the ledger. They only refuse. */
export interface GuardrailDesk {
  /** Where the stored ones cannot be read, the tightest that there are: those are in force then. */
  get(): Guardrails;
  set(guardrails: Guardrails): Guardrails;
  guard: AgentGuard;
}

export interface GuardrailOptions {
  store: AppStore;
  ledger: Pick<Ledger, 'append'>;
  agents: Pick<Agents, 'living'>;
  freeze: Pick<Freeze, 'assertThawed'>;
  clock: Clock;
  onChange(): void;
}

const setting = 'agents.guardrails';

export function createGuardrails(options: GuardrailOptions): GuardrailDesk {
  const { store, ledger, agents, freeze, clock, onChange } = options;
  const stored = (): ReturnType<typeof fromStored> => fromStored(store.settings.get(setting));

  function set(wanted: Guardrails): Guardrails {
    const after = guardrailsSchema.parse(wanted);
    store.transaction(() => {
      const { guardrails: before, isReadable } = stored();
      store.settings.set(setting, JSON.stringify(after));
      ledger.append({
        kind: 'guardrails.changed',
        proposalId: null,
        actor: 'You',
        via: null,
        summary: 'Changed the guardrails for agents',
        body: { before: isReadable ? before : null, after },
      });
      store.afterCommit(onChange);
    });
    return after;
  }

  function assertWithin(guarded: Guarded, asked: typeof rules): void {
    const { profile, proposedBy } = guarded.proposer;
    const agent = proposedBy.agentId === null ? null : agents.living(proposedBy.agentId);
    if (agent === null || agent.profileId !== profile.id) {
      throw new AppError('agent_unknown', { message: notLetIn });
    }
    freeze.assertThawed();
    const { guardrails, isReadable } = stored();
    if (!isReadable) throw new AppError('guardrail', { message: unreadable });
    const history = store.proposals;
    const now = { ...guarded, agentId: agent.id, guardrails, history, nowMs: clock.nowMs() };
    for (const { name, refusal } of asked) {
      const message = refusal(now);
      if (message !== null) throw new AppError('guardrail', { message, data: { rule: name } });
    }
  }

  return {
    get: () => stored().guardrails,
    set,
    guard: {
      assertAllowed: (guarded) => assertWithin(guarded, rules),
      assertMayLeave(guarded) {
        freeze.assertThawed(guarded.approvedAtMs);
        // Whoever is just let in is no agent yet.
        if (guarded.proposer.proposedBy.agentId !== null) assertWithin(guarded, rulesOfOneChange);
      },
    },
  };
}

const notLetIn = 'This agent is no longer let in. Nothing was sent.';

const unreadable =
  'The guardrails of this app cannot be read, so no agent may propose anything until a person has saved them anew.';
