import { entryBy, type Ledger } from '#core/ledger/index.ts';
import type { LimitClock } from '#core/platform/limit-clock.ts';
import type { AdministratorPolicy } from '#system/policy/index.ts';
import type { AgentGuard, Guarded } from '#core/proposals/index.ts';
import type { AppStore } from '#core/store/app/index.ts';
import { type Guardrails, guardrailsSchema } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { jsonEqual, jsonOrNull } from '#shared/lib/json/json-value.ts';
import type { Agents } from '../agents.ts';
import type { Freeze } from '../freeze.ts';
import { type ProposedChange, rules, rulesOfOneChange } from './rules.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { ownWords, sentence } from '#shared/lib/sentence.ts';

interface GuardrailOptions {
  store: AppStore;
  ledger: Pick<Ledger, 'append'>;
  agents: Pick<Agents, 'living'>;
  freeze: Pick<Freeze, 'assertThawed'>;
  policy: Pick<AdministratorPolicy, 'guardrails'>;
  limitClock: Pick<LimitClock, 'timesOfDay'>;
  onChange(): void;
  formats(): Formats;
}

const settingOf = (profileId: string): string => `agents.guardrails.${profileId}`;

export type GuardrailSettings = ReturnType<typeof createGuardrails>;

/** Limits for all agents of a profile. Every change of them is in the ledger. Guardrails only refuse. */
export function createGuardrails(options: GuardrailOptions) {
  const { store, ledger, agents, freeze, policy, limitClock, onChange, formats } = options;
  const { settings } = store;

  function stored(profileId: string): StoredGuardrails {
    const text = settings.get(settingOf(profileId));
    if (text === null) return { guardrails: open, isReadable: true };
    const parsed = guardrailsSchema.safeParse(jsonOrNull(text));
    return parsed.success
      ? { guardrails: parsed.data, isReadable: true }
      : { guardrails: tightest, isReadable: false };
  }

  function change(profileId: string, { after, by }: { after: Guardrails; by: 'You' | 'Countersign' }): void {
    store.transaction(() => {
      const { guardrails: before, isReadable } = stored(profileId);
      settings.set(settingOf(profileId), JSON.stringify(after));
      ledger.append(
        entryBy(by, {
          kind: 'guardrails.changed',
          summary:
            by === 'You'
              ? sentence`Changed the guardrails for agents`
              : sentence`Set the guardrails that a new profile starts with`,
          body: { profile: profileId, before: isReadable ? before : null, after },
        }),
      );
      store.afterCommit(onChange);
    });
  }

  function set(
    profileId: string,
    { base, guardrails }: { base: Guardrails; guardrails: Guardrails },
  ): Guardrails {
    const after = guardrailsSchema.parse(guardrails);
    if (!jsonEqual(stored(profileId).guardrails, base))
      throw new AppError('edit_conflict', { message: changed });
    change(profileId, { after, by: 'You' });
    return after;
  }

  function assertWithin(guarded: Guarded, checked: typeof rules): void {
    const { profile, proposedBy } = guarded.proposer;
    const agent = proposedBy.agentId === null ? null : agents.living(proposedBy.agentId);
    if (agent === null || agent.profileId !== profile.id) {
      throw new AppError('agent_unknown', { message: notAdmitted });
    }
    freeze.assertThawed();
    const { guardrails, isReadable } = stored(profile.id);
    if (!isReadable) throw new AppError('guardrail', { message: unreadable });
    const history = store.proposals;
    // Checked separately, so that neither set can loosen the other.
    const fixed = policy.guardrails();
    // Checked for every possible time of day, so that setting the clock ends neither quiet hours nor a pace limit.
    for (const nowMs of limitClock.timesOfDay()) {
      const now = { ...guarded, agentId: agent.id, history, nowMs };
      if (fixed !== null)
        refuseBeyond(checked, { ...now, guardrails: fixed }, { note: byAdministrator, formats: formats() });
      refuseBeyond(checked, { ...now, guardrails }, { note: '', formats: formats() });
    }
  }

  return {
    /** Returns the strictest possible guardrails if the stored ones cannot be read. */
    get: (profileId: string): Guardrails => stored(profileId).guardrails,
    /** Fails with `edit_conflict`, and changes nothing, unless the guardrails in force equal `base`. */
    set,
    /** For a new profile. Runs in the caller's transaction. */
    protect: (profileId: string): void =>
      change(profileId, { after: newProfileGuardrails, by: 'Countersign' }),
    forget: (profileId: string): void => settings.remove(settingOf(profileId)),
    guard: {
      assertAllowed: (guarded) => assertWithin(guarded, rules),
      assertMaySend(guarded) {
        freeze.assertThawed(guarded.approvedAtMs);
        // An admission is proposed before its agent exists.
        if (guarded.proposer.proposedBy.agentId !== null) assertWithin(guarded, rulesOfOneChange);
      },
    } satisfies AgentGuard,
  };
}

function refuseBeyond(
  checked: typeof rules,
  now: ProposedChange,
  { note, formats }: { note: string; formats: Formats },
): void {
  for (const [rule, refusal] of Object.entries(checked)) {
    const message = refusal(now, formats);
    if (message !== null)
      throw new AppError('guardrail', {
        message: sentence`${ownWords(message + note)}`,
        data: { rule },
      });
  }
}

const byAdministrator = ' The administrator of this computer has set this limit.';
const changed = 'These limits were changed meanwhile. Nothing was stored.';
const notAdmitted = 'This agent no longer has access. Nothing was sent.';

const unreadable =
  'The guardrails of this profile cannot be read, so no agent may propose anything until a person saves them again.';

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

const newProfileGuardrails: Guardrails = {
  ...open,
  maxBidFactor: 2,
  maxRaisePerDayMicros: '500000000',
  maxCampaigns: 20,
};

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

interface StoredGuardrails {
  guardrails: Guardrails;
  isReadable: boolean;
}
