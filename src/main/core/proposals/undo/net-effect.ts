import { setImmediate } from 'node:timers/promises';
import type { Connections } from '#core/connections/index.ts';
import type { Ledger, NewEntry } from '#core/ledger/index.ts';
import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import type { AppInput, AppOutput, NetChange, ProposalView } from '#shared/app-api/index.ts';
import { changeInWords } from '#shared/wording/index.ts';
import { serviceDay } from '#shared/campaign/index.ts';
import type { CampaignContext } from '#shared/contract/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import type { SeveralWrites } from '../operations/batch/prepare.ts';
import type { Skipped } from '../operations/stored-proposals.ts';
import { knownEffects } from '../operations/written-effects.ts';
import {
  type CampaignNetChange,
  netChangesOf,
  type Step,
  nothingToReverse,
  reversalsOf,
  writesOf,
} from './reversal.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { ownWords, type Sentence, sentence } from '#shared/lib/sentence.ts';

interface NetEffectOptions {
  store: Pick<AppStore, 'proposals' | 'transaction'>;
  ledger: Pick<Ledger, 'append'>;
  connections: Pick<Connections, 'current'>;
  gate: { proposeSeveral(request: SeveralWrites): Promise<ProposalView> };
  formats(): Formats;
}

const writesPerTick = 10;

export type NetEffect = ReturnType<typeof createNetEffect>;

/** Agents' changes since a moment that are still in effect, by field of each campaign of the active profile. Yields to other work. */
export function createNetEffect({ store, ledger, connections, gate, formats }: NetEffectOptions) {
  async function fold(
    profileId: string,
    query: AppInput<'ledger.netEffect'>,
  ): Promise<{ campaigns: CampaignNetChange[]; unreadableCount: number }> {
    const steps: Step[] = [];
    let unreadableCount = 0;
    for (const [at, id] of store.proposals.written({ profileId, sinceMs: query.sinceMs }).entries()) {
      if (at % writesPerTick === writesPerTick - 1) await setImmediate();
      const proposal = store.proposals.find(id);
      // Its details may have been removed in the meantime.
      if (proposal === null || proposal.prunedAtMs !== null) continue;
      const author = authorOf(proposal, query.agentId);
      const effects = knownEffects(proposal);
      if (effects !== null) steps.push({ author, effects });
      else if (author.kind === 'agent') unreadableCount += 1;
    }
    return { campaigns: netChangesOf(steps), unreadableCount };
  }

  function countPruned(profileId: string, query: AppInput<'ledger.netEffect'>): number {
    return store.proposals.countPrunedByAgents({ ...query, profileId });
  }

  return {
    async of(query: AppInput<'ledger.netEffect'>): Promise<AppOutput<'ledger.netEffect'>> {
      const { id } = connections.current().profile;
      const { campaigns, unreadableCount } = await fold(id, query);
      const items = campaigns.flatMap((campaign) => netChanges(campaign, formats()));
      return { items, prunedCount: countPruned(id, query), unreadableCount };
    },
    /**
     * Proposes one batch that restores the earlier values. Skips and lists later changes
     * by others. Fails with `nothing_to_reverse`, or as the reads and the gate do.
     */
    async reverse(query: AppInput<'ledger.reverse'>): Promise<ProposalView> {
      const connection = connections.current();
      const { campaigns, unreadableCount } = await fold(connection.profile.id, query);
      const reversals = await reversalsOf(
        { store, connection, left: ownWords('agents left') },
        campaigns,
        formats(),
      );
      const { updates, statuses } = writesOf(reversals);
      const prunedCount = countPruned(connection.profile.id, query);
      const skipped = [
        ...reversals.flatMap((reversal) => reversal.skipped),
        ...skips(prunedCount, 'older change', pruned, formats()),
        ...skips(unreadableCount, 'change', unreadable, formats()),
      ];
      if (updates.length + statuses.length === 0) throw nothingToReverse(skipped);
      // The active profile may have changed in the meantime.
      if (connections.current() !== connection) throw new AppError('profile_changed');
      const { date, time, zone } = serviceDay(query.sinceMs, connection.profile.zone);
      const equally = sentence`Bring back what agents changed since ${ownWords(`${date}, ${time} (${zone})`)}`;
      const proposal = await gate.proposeSeveral({ equally, updates, statuses, skipped });
      store.transaction(() => ledger.append(reversalEntry(proposal, query)));
      return proposal;
    },
  };
}

function authorOf({ proposedBy }: StoredProposal, askedAbout: string | null): Step['author'] {
  const { kind, name, agentId } = proposedBy;
  // A person decided on a schedule's change.
  if (kind !== 'agent') return { kind: 'person' };
  return askedAbout === null || agentId === askedAbout ? { kind, name } : { kind: 'other agent' };
}

function reversalEntry(
  { id, title, profile }: ProposalView,
  { sinceMs, agentId }: AppInput<'ledger.netEffect'>,
): NewEntry {
  return {
    kind: 'reversal.proposed',
    proposalId: id,
    actor: 'You',
    via: null,
    summary: sentence`Reversal: ${ownWords(title)}`,
    body: { profile: profile.id, sinceMs, ...(agentId === null ? {} : { agent: agentId }) },
  };
}

const pruned = sentence`The details were removed when their retention period ended.`;
const unreadable = sentence`The stored details can’t be read.`;

function skips(count: number, what: string, because: Sentence, formats: Formats): Skipped[] {
  return count === 0 ? [] : [{ what: sentence`${ownWords(formats.counted(count, what))}`, because }];
}

/** Used if no write reported the campaign types. A change of status does not need them. */
const unknownContext: CampaignContext = {
  types: {},
  settings: {
    enable_bidcontrol: false,
    enable_freq_cap: false,
    enable_traffic_speed: false,
    edit_clickurl: false,
    min_budget: 0,
    postbackurl: '',
  },
};

function netChanges({ cid, name, context, changes }: CampaignNetChange, formats: Formats): NetChange[] {
  return changes.map(({ steps, agents, ...change }) => ({
    cid,
    name: inertText(name),
    change: changeInWords(change, context ?? unknownContext, formats),
    steps,
    agents: agents.map(inertText),
  }));
}
