import type { Connections } from '#core/connections/index.ts';
import type { AppStore, StoredStatusChange } from '#core/store/app/index.ts';
import type { AppOutput, ProposalView } from '#shared/app-api/index.ts';
import { isStatusCode, type StatusCode } from '#shared/contract/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { counted } from '#shared/lib/counted.ts';
import { isOpen } from '#shared/proposals/states.ts';
import type { Gate } from '../gate.ts';
import { latestId } from '../lifecycle/lookup.ts';
import { lookForRows } from '../operations/status/find-rows.ts';

/** Offers to return campaigns that a pause of running ones stopped, until that is done, dismissed, or changed otherwise. */
export interface Returns {
  /** Of the active profile, newest first, without pauses that an emergency stop takes back itself. */
  list(): AppOutput<'campaigns.returns'>;
  /**
   * One change that gives the campaigns of a pause the statuses they had; what has another status now is left as it is. Fails with
   * `nothing_to_change`, or as the reads and the gate do.
   */
  propose(proposalId: string): Promise<ProposalView>;
  dismiss(proposalId: string): void;
}

export interface ReturnsOptions {
  store: AppStore;
  connections: Pick<Connections, 'current'>;
  gate: Pick<Gate, 'proposeStatus' | 'proposeSeveral'>;
  /** Proposals of the profile from which an emergency stop may still take a pause back. */
  neededOf(profileId: string): ReadonlySet<string>;
}

export function createReturns({ store, connections, gate, neededOf }: ReturnsOptions): Returns {
  const profileId = (): string => connections.current().profile.id;

  function isReturning({ returnId }: StoredStatusChange): boolean {
    if (returnId === null) return false;
    const proposal = store.proposals.findListed(latestId(store, returnId));
    return proposal !== null && isOpen(proposal.state);
  }

  function offered(): StoredStatusChange[] {
    const id = profileId();
    const needed = neededOf(id);
    return store.statusChanges
      .offered(id)
      .filter(({ proposalId }) => !needed.has(proposalId))
      .filter(({ cid, atMs }) => !store.statusChanges.hasUnknownSince(id, cid, atMs))
      .filter((change) => !isReturning(change));
  }

  async function propose(changes: readonly StoredStatusChange[]): Promise<ProposalView> {
    const statuses = [...byStatusBefore(changes)].map(([status, cids]) => ({ status, cids }));
    const [first, second] = statuses;
    if (first === undefined) throw new AppError('nothing_to_change');
    if (second === undefined) return gate.proposeStatus(first);
    const equally = `Return ${counted(changes.length, 'campaign')} to how they were`;
    return gate.proposeSeveral({ equally, updates: [], statuses, skipped: [] });
  }

  return {
    list() {
      const pauses = new Map<string, AppOutput<'campaigns.returns'>['items'][number]>();
      for (const { proposalId, atMs, cid } of offered()) {
        const pause = pauses.get(proposalId) ?? { proposalId, atMs, cids: [] };
        pauses.set(proposalId, { ...pause, cids: [...pause.cids, cid] });
      }
      return { items: [...pauses.values()].toSorted((one, other) => other.atMs - one.atMs) };
    },
    async propose(proposalId) {
      const { member, profile } = connections.current();
      const changes = offered().filter((change) => change.proposalId === proposalId);
      const rows = await lookForRows(
        member,
        changes.map(({ cid }) => cid),
      );
      const proposal = await propose(changes.filter(({ cid, after }) => rows.get(cid)?.status === after));
      store.statusChanges.setReturn(profile.id, proposalId, proposal.id);
      return proposal;
    },
    dismiss: (proposalId) => store.statusChanges.dismiss(profileId(), proposalId),
  };
}

function byStatusBefore(changes: readonly StoredStatusChange[]): ReadonlyMap<StatusCode, number[]> {
  const cids = new Map<StatusCode, number[]>();
  for (const { cid, before } of changes) {
    if (isStatusCode(before)) cids.set(before, [...(cids.get(before) ?? []), cid]);
  }
  return cids;
}
