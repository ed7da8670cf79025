import type { Ledger } from '#core/ledger/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { AgentGuard, Guarded } from '#core/proposals/index.ts';
import type { AppStore } from '#core/store/app/index.ts';
import { type Guardrails, guardrailsSchema } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { Agents } from '../agents.ts';
import type { Freeze } from '../freeze.ts';
import { rules, rulesOfOneChange } from './rules.ts';

/** Limits for every agent; kept in the settings, every change of them in the ledger. They only refuse. */
export interface GuardrailSettings {
  /** The guardrails in force: the strictest possible ones if the stored ones cannot be read. */
  get(): Guardrails;
  set(guardrails: Guardrails): Guardrails;
  guard: AgentGuard;
}

interface GuardrailOptions {
  store: AppStore;
  ledger: Pick<Ledger, 'append'>;
  agents: Pick<Agents, 'living'>;
  freeze: Pick<Freeze, 'assertThawed'>;
  clock: Clock;
  onChange(): void;
}

const setting = 'agents.guardrails';

export function createGuardrails(options: GuardrailOptions): GuardrailSettings {
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
      throw new AppError('agent_unknown', { message: notAdmitted });
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
      assertMaySend(guarded) {
        freeze.assertThawed(guarded.approvedAtMs);
        // An admission is proposed before its agent exists.
        if (guarded.proposer.proposedBy.agentId !== null) assertWithin(guarded, rulesOfOneChange);
      },
    },
  };
}

const notAdmitted = 'This agent no longer has access. Nothing was sent.';

const unreadable =
  'The guardrails of this app cannot be read, so no agent may propose anything until a person saves them again.';

/** No limit at all. */
const open: Guardrails = {
  maxBidFactor: null,
  maxRaisePerDayMicros: null,
  maxRaiseUntilEndMicros: null,
  maxCampaigns: null,
  pace: null,
  spendPace: null,
  quietHours: null,
  untouchable: [],
};

/** Every limit as tight as it can be: no hour is left in which an agent may propose. */
const tightest: Guardrails = {
  maxBidFactor: 1,
  maxRaisePerDayMicros: '0',
  maxRaiseUntilEndMicros: '0',
  maxCampaigns: 1,
  pace: { changes: 1, minutes: 1440 },
  spendPace: { micros: '0', hours: 168 },
  quietHours: { fromHour: 0, untilHour: 0 },
  untouchable: [],
};

/** An earlier version of the app stored no limit for the money until the end. */
const storedSchema = guardrailsSchema.extend({
  maxRaiseUntilEndMicros: guardrailsSchema.shape.maxRaiseUntilEndMicros.default(null),
});

/** The guardrails as they stand in the settings; if they cannot be read, the strictest ones, and marked as unreadable. */
function fromStored(text: string | null): { guardrails: Guardrails; isReadable: boolean } {
  if (text === null) return { guardrails: open, isReadable: true };
  const parsed = storedSchema.safeParse(parsedJson(text));
  return parsed.success
    ? { guardrails: parsed.data, isReadable: true }
    : { guardrails: tightest, isReadable: false };
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
