import type { Ledger } from '#core/ledger/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { Profiles } from '#core/profiles/index.ts';
import type { Admissions } from '#core/proposals/index.ts';
import type { AgentEnd, AppStore, StoredAgent } from '#core/store/app/index.ts';
import type { AgentView } from '#shared/app-api/index.ts';

/** The agents that a person has let in. */
export interface Agents {
  admissions: Admissions;
  /** The agent, while it is let in and its profile is there; else null. */
  living(id: string): StoredAgent | null;
  /** It called: its grant, and when. Written at most once a minute. */
  seen(id: string, grantId: string): void;
  /** Ends an agent; nothing happens where it has ended. Fails with `agent_unknown`. */
  end(id: string, because: AgentEnd): void;
  /** Ends every agent of a profile. */
  endOfProfile(profileId: string): void;
  /** Called for every agent that ends, after it is on record; returns the end of the subscription. */
  onEnded(listener: (agent: StoredAgent) => void): () => void;
  /** Newest first, those who are no longer let in last. */
  list(connected: ReadonlySet<string>): AgentView[];
}

export interface AgentsOptions {
  store: AppStore;
  ledger: Pick<Ledger, 'append'>;
  profiles: Pick<Profiles, 'get'>;
  clock: Clock;
  onChange(): void;
}

export function createAgents(_options: AgentsOptions): Agents {
  return {
    admissions: { admit() {}, isAdmitted: () => false },
    living: () => null,
    seen() {},
    end() {},
    endOfProfile() {},
    onEnded: () => () => {},
    list: () => [],
  };
}
