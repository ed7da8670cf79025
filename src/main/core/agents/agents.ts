import { entryBy, type Ledger, type NewEntry } from '#core/ledger/index.ts';
import { createEventBus } from '#core/platform/event-bus.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import { viewOf, type Profiles } from '#core/profiles/index.ts';
import type { Admission, Admissions } from '#core/proposals/index.ts';
import type { AgentEnd, AppStore, StoredAgent } from '#core/store/app/index.ts';
import type { AgentView, ProfileView } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { assertNever } from '#shared/lib/assert-never.ts';
import { ownWords, quotedUpTo, sentence } from '#shared/lib/sentence.ts';

interface AgentsOptions {
  store: AppStore;
  ledger: Pick<Ledger, 'append'>;
  profiles: Pick<Profiles, 'get'>;
  clock: Clock;
  logger: Logger;
  onChange(): void;
}

const seenEveryMs = 60_000;
const connectedMs = 5 * 60_000;

export type Agents = ReturnType<typeof createAgents>;

export function createAgents(options: AgentsOptions) {
  const { store, ledger, clock, logger, onChange } = options;
  const { agents: rows } = store;
  const ended = createEventBus<StoredAgent>(logger);
  const cancelAway = new Map<string, () => void>();

  function profileOf({ profileId }: StoredAgent): ProfileView | null {
    try {
      return viewOf(options.profiles.get(profileId));
    } catch (failure) {
      if (failure instanceof AppError) return null;
      throw failure;
    }
  }

  function living(id: string): StoredAgent | null {
    const agent = rows.find(id);
    return agent === null || agent.endedAtMs !== null || profileOf(agent) === null ? null : agent;
  }

  function endLiving(agent: StoredAgent, because: AgentEnd): void {
    store.transaction(() => {
      rows.end(agent.id, { atMs: clock.nowMs(), because });
      ledger.append(endedEntry(agent, because));
      store.afterCommit(() => {
        ended.emit(agent);
        onChange();
      });
    });
  }

  function endWhere(because: AgentEnd, isConcerned: (agent: StoredAgent) => boolean): void {
    store.transaction(() => {
      for (const agent of rows.living()) if (isConcerned(agent)) endLiving(agent, because);
    });
  }

  function admit(admission: Admission, profileId: string): void {
    // A repeated answer must not admit a second agent.
    if (rows.find(admission.agentId) !== null) return;
    const agent = agentOf(admission, { profileId, atMs: clock.nowMs() });
    store.transaction(() => {
      endWhere('replaced', (one) => one.clientId === agent.clientId && one.profileId === profileId);
      rows.insert(agent);
      ledger.append(admittedEntry(agent));
      store.afterCommit(onChange);
    });
  }

  return {
    admissions: {
      admit,
      isAdmitted: (id) => rows.find(id) !== null,
      allowed: rows.living,
    } satisfies Admissions,
    living,
    /**
     * Records the grant and the time of a call, at most once a minute for one grant, because each record is a write to the
     * disk. Null for an agent without access.
     */
    seen(id: string, grantId: string): StoredAgent | null {
      const agent = living(id);
      if (agent === null) return null;
      const atMs = clock.nowMs();
      const isFresh = agent.lastSeenAtMs !== null && Math.abs(atMs - agent.lastSeenAtMs) < seenEveryMs;
      if (isFresh && agent.grantId === grantId) return agent;
      store.transaction(() => rows.seen(id, { grantId, atMs }));
      if (!isRecent(agent, atMs)) onChange();
      cancelAway.get(id)?.();
      cancelAway.set(id, clock.after(connectedMs, onChange));
      return agent;
    },
    end(id: string, because: AgentEnd): void {
      const agent = rows.find(id);
      if (agent === null) throw new AppError('agent_unknown');
      if (agent.endedAtMs === null) endLiving(agent, because);
    },
    endOfGrant: (grantId: string): void => endWhere('signed-out', (agent) => agent.grantId === grantId),
    endOfProfile: (id: string): void => endWhere('profile-removed', ({ profileId }) => profileId === id),
    /** Ends agents that never claimed their grant. No browser can claim it any more. */
    endUnclaimed: (): void => endWhere('signed-out', ({ grantId }) => grantId === null),
    endAll: (because: AgentEnd = 'signed-out'): void => endWhere(because, () => true),
    onEnded: (listener: (agent: StoredAgent) => void): (() => void) => ended.subscribe(listener),
    /** Ids of admitted agents that have a running call or an open stream (`present`), or called within the last minutes. */
    connected(present: ReadonlySet<string>): ReadonlySet<string> {
      const nowMs = clock.nowMs();
      const connected = rows.living().filter((agent) => present.has(agent.id) || isRecent(agent, nowMs));
      return new Set(connected.map(({ id }) => id));
    },
    list(
      connected: ReadonlySet<string>,
      repeatedRefreshes?: ReadonlyMap<string, NonNullable<AgentView['repeatedRefreshes']>>,
    ): AgentView[] {
      const all = rows.all();
      const living = all.filter(({ endedAtMs }) => endedAtMs === null);
      const gone = all.filter(({ endedAtMs }) => endedAtMs !== null);
      return [...living, ...gone].map((agent) => ({
        ...agentView(agent, profileOf(agent)),
        connected: agent.endedAtMs === null && connected.has(agent.id),
        repeatedRefreshes: repeatedRefreshes?.get(agent.id) ?? null,
        tally: rows.tally(agent.id),
      }));
    },
  };
}

function isRecent({ lastSeenAtMs }: StoredAgent, nowMs: number): boolean {
  return lastSeenAtMs !== null && Math.abs(nowMs - lastSeenAtMs) < connectedMs;
}

function agentOf(
  admission: Admission,
  { profileId, atMs }: { profileId: string; atMs: number },
): StoredAgent {
  const { agentId, clientId, name, redirectHost, scopes } = admission;
  return {
    id: agentId,
    clientId,
    name,
    redirectHost,
    profileId,
    scopes,
    admittedAtMs: atMs,
    grantId: null,
    lastSeenAtMs: null,
    endedAtMs: null,
    endedBecause: null,
  };
}

function agentView(
  agent: StoredAgent,
  profile: ProfileView | null,
): Omit<AgentView, 'connected' | 'repeatedRefreshes' | 'tally'> {
  const { id, name, redirectHost, scopes, admittedAtMs, lastSeenAtMs, endedAtMs, endedBecause } = agent;
  return {
    id,
    name,
    redirectHost,
    profile,
    scopes: [...scopes],
    sinceMs: admittedAtMs,
    lastSeenMs: lastSeenAtMs,
    ended: endedAtMs === null || endedBecause === null ? null : { atMs: endedAtMs, because: endedBecause },
  };
}

const maxNameLength = 300;

/** The ledger rows of the proposal contain the decision itself. */
export function admittedEntry(agent: StoredAgent): NewEntry {
  return entryBy('You', {
    kind: 'agent.admitted',
    summary: sentence`Admitted: ${quotedUpTo(agent.name, maxNameLength)}`,
    body: facts(agent),
  });
}

export function endedEntry(agent: StoredAgent, because: AgentEnd): NewEntry {
  return entryBy(because === 'revoked' ? 'You' : 'Countersign', {
    kind: 'agent.ended',
    summary: sentence`Access ended: ${quotedUpTo(agent.name, maxNameLength)}, ${ownWords(becauseInWords(because))}`,
    body: { ...facts(agent), because },
  });
}

function facts({ id, clientId, name, redirectHost, profileId, scopes }: StoredAgent): NewEntry['body'] {
  return { agent: id, client: clientId, name, redirectHost, profile: profileId, scopes: [...scopes] };
}

function becauseInWords(because: AgentEnd): string {
  switch (because) {
    case 'revoked':
      return 'because you revoked it';
    case 'replaced':
      return 'because it was admitted again';
    case 'signed-out':
      return 'because its grant ended';
    case 'restored':
      return 'because a backup was restored';
    case 'profile-removed':
      return 'because its profile is gone or has other addresses';
    default:
      return assertNever(because);
  }
}
