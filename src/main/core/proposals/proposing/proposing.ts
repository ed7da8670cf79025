import type { Connection, Connections } from '#core/connections/index.ts';
import { createTicks } from '#core/platform/work-queues.ts';
import type { Profiles } from '#core/profiles/index.ts';
import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import type { AppEvent } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { AgentLimits, AttemptBudget } from './agent-limits.ts';
import type { Journal } from '../lifecycle/journal.ts';
import type { PreparedWrite, Proposer } from '../operations/operation.ts';
import { assertNotWithheld, assertUnlocked } from '../operations/locks.ts';
import { ownWords, sentence } from '#shared/lib/sentence.ts';

/** Maximum number of undecided changes by the app itself. Agents and drafts have limits of their own. */
export const maxWaiting = 100;
const placesForAgents = 90;

const largestShare = 60;
const smallestShare = 10;

/** Undecided changes per agent, so that no agent fills the list overnight. A single agent leaves a third for a later agent. */
export function shareOf(agents: number): number {
  const share = Math.floor(placesForAgents / Math.max(1, agents));
  return Math.min(largestShare, Math.max(smallestShare, share));
}

export interface Proposition {
  connection: Connection;
  proposer: Proposer;
  cids: readonly number[];
  prepare(connection: Connection): Promise<PreparedWrite>;
  isUrgent?: boolean;
  record?(proposal: StoredProposal): void;
}

export interface ProposingOptions {
  store: AppStore;
  journal: Journal;
  expiry: { schedule(): void };
  connections: Pick<Connections, 'of'>;
  profiles: Pick<Profiles, 'get' | 'setAccount'>;
  limits: Pick<AgentLimits, 'assertMayPropose'>;
  assertAttemptLeft: AttemptBudget;
  emit(event: AppEvent): void;
}

export type Proposing = ReturnType<typeof createProposing>;

export function createProposing(options: ProposingOptions) {
  const { store, journal, expiry, connections, profiles, limits, assertAttemptLeft, emit } = options;
  const nextTick = createTicks();
  const preparing = new Map<string, number>();

  function assertRoom(proposer: Proposer): void {
    const { agentId } = proposer.proposedBy;
    const { agents, own } = store.proposals.countUndecidedBySide();
    if (agentId === null) {
      if (own >= maxWaiting) throw new AppError('too_many_waiting', { message: ownFull });
      return;
    }
    assertAttemptLeft(proposer);
    assertInShare(agentId, 0);
    if (agents >= placesForAgents) throw new AppError('too_many_waiting', { message: agentsFull });
  }

  /** `preparing` counts the changes that are being prepared for the agent. */
  function assertInShare(agentId: string, preparing: number): void {
    const agents = store.agents.living().length;
    const share = shareOf(agents);
    if (store.proposals.countUndecidedOf(agentId) + preparing < share) return;
    const among = agents > 1 ? ` with ${agents} agents admitted` : '';
    const message = sentence`This agent has all of its ${share} places for waiting changes taken${ownWords(among)}. ${ownWords(remedy)}`;
    throw new AppError('too_many_waiting', { message });
  }

  /** Checked before and after the read, because others may have proposed in between. */
  function assertPlace({ proposer, isUrgent = false }: Proposition): void {
    if (!isUrgent) assertRoom(proposer);
  }

  /** Limits concurrent preparations to the agent's share, so that a flood causes no more reads than that. */
  async function within(
    { proposedBy: { agentId } }: Proposer,
    prepare: () => Promise<PreparedWrite>,
  ): Promise<PreparedWrite> {
    if (agentId === null) return prepare();
    const others = preparing.get(agentId) ?? 0;
    assertInShare(agentId, others);
    preparing.set(agentId, others + 1);
    try {
      return await prepare();
    } finally {
      const left = (preparing.get(agentId) ?? 1) - 1;
      if (left === 0) preparing.delete(agentId);
      else preparing.set(agentId, left);
    }
  }

  /** Fails if the profile was deleted, or got other addresses or credentials since the read. */
  function assertSameConnection(connection: Connection): void {
    if (connections.of(connection.profile.id) !== connection) throw new AppError('profile_changed');
  }

  function put(draft: PreparedWrite, proposer: Proposer): StoredProposal {
    const proposed = journal.propose(draft, proposer);
    const { id, account } = proposed.profile;
    // If the service reported no account, `account` is that of the
    // preparation's start. The profile may be bound to another account now.
    if (draft.account !== null && profiles.get(id).account !== account) {
      profiles.setAccount(id, account);
      store.afterCommit(() => emit({ kind: 'profiles.changed' }));
    }
    return proposed;
  }

  function addAll(
    drafts: readonly PreparedWrite[],
    proposer: Proposer,
    assertPlaces: () => void,
  ): StoredProposal[] {
    const changes = drafts.filter(({ operation }) => operation !== 'batch');
    const added = store.transaction(() => {
      if (changes.length > 0) assertPlaces();
      const { profile } = proposer;
      for (const change of changes) assertNotWithheld(store, { ...change, profile });
      return drafts.map((draft) => put(draft, proposer));
    });
    expiry.schedule();
    return added;
  }

  return {
    /**
     * Fails with `too_many_waiting`, `campaign_locked` or `profile_changed`, or as
     * `prepare` does. For an agent, also with `attempts_spent` or as its guard does.
     */
    async propose(proposition: Proposition): Promise<StoredProposal> {
      const { connection, proposer, cids, prepare, record } = proposition;
      assertPlace(proposition);
      assertUnlocked(store, { profile: proposer.profile, targets: [...cids] });
      const draft = await within(proposer, () => prepare(connection));
      await nextTick();
      assertSameConnection(connection);
      assertPlace(proposition);
      assertNotWithheld(store, { ...draft, profile: proposer.profile });
      const proposal = store.transaction(() => {
        limits.assertMayPropose(draft, proposer);
        const proposed = put(draft, proposer);
        record?.(proposed);
        return proposed;
      });
      expiry.schedule();
      return proposal;
    },
    add: (
      drafts: readonly PreparedWrite[],
      proposer: Proposer,
      { isUrgent = false }: Pick<Proposition, 'isUrgent'> = {},
    ): StoredProposal[] =>
      addAll(drafts, proposer, () => {
        if (!isUrgent) assertRoom(proposer);
      }),
    /** For changes of drafts. The caller must keep within their limit. */
    addOfDrafts: (drafts: readonly PreparedWrite[], proposer: Proposer): StoredProposal[] =>
      addAll(drafts, proposer, () => undefined),
  };
}

const remedy = 'A person has to decide on some of them first, or withdraw them.';
const agentsFull = sentence`All ${placesForAgents} places for waiting changes of agents are taken. ${ownWords(remedy)}`;
const ownFull = `${maxWaiting} of your own changes are waiting.`;
