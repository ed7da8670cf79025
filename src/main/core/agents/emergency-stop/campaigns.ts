import type { Connections } from '#core/connections/index.ts';
import { askedStatusMoves } from '#core/proposals/index.ts';
import { type MemberClient, readSteadyRows } from '#core/service-client/index.ts';
import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import { runs } from '#shared/campaign/index.ts';
import { type CampaignRow, listLimits, type StatusCode } from '#shared/contract/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { type Sentence, sentence } from '#shared/lib/sentence.ts';

type Lists = Pick<MemberClient, 'list'>;

/** Number of campaigns that a stop has to read, as the service says first, and how many of them have been read. */
export interface ReadProgress {
  total: number;
  read: number;
}

/** Every campaign with one of these statuses, by list pages alone (contract §4.1). Fails as the reads do. */
export async function rowsWithStatus(
  client: Lists,
  statuses: readonly StatusCode[],
  onProgress?: (progress: ReadProgress) => void,
): Promise<ReadonlyMap<number, CampaignRow>> {
  const found = new Map<number, CampaignRow>();
  const total = onProgress === undefined ? 0 : await countWithStatus(client, statuses);
  onProgress?.({ total, read: 0 });
  for (const status of statuses) {
    const before = found.size;
    const onPage = (count: number): void => onProgress?.({ total, read: Math.min(total, before + count) });
    for (const row of (await readSteadyRows(client, { status, onPage })).rows) found.set(row.cid, row);
  }
  return found;
}

async function countWithStatus(client: Lists, statuses: readonly StatusCode[]): Promise<number> {
  const first = { page: listLimits.firstPage, perPage: listLimits.minPerPage };
  const lists = await Promise.all(statuses.map((status) => client.list({ ...first, status })));
  return lists.reduce((sum, { total }) => sum + total, 0);
}

/** Requires that the profile is still active: the gate proposes to the active one. Fails with `profile_changed`. */
export function assertActive(connections: Pick<Connections, 'current'>, profileId: string): void {
  if (connections.current().profile.id !== profileId) throw new AppError('profile_changed');
}

interface Named {
  cid: number;
  name: string;
}

/** A campaign that an approved write may make run. */
export interface StartingCampaign {
  cid: number;
  /** Foreign text; null where the write does not say it. */
  name: string | null;
}

/**
 * The campaigns that a write may make run which was approved and is not settled: it waits for its turn, is being sent, or has an
 * unknown outcome. So may a call whose effect is not known.
 */
export function startingCampaigns({ proposals }: Proposals, profileId: string): StartingCampaign[] {
  return proposals.underWay(profileId).flatMap(({ id }) => {
    const write = proposals.find(id);
    const moves = write === null ? [] : askedStatusMoves(write);
    return moves.filter(({ after }) => after === null || runs(after)).map(({ cid, name }) => ({ cid, name }));
  });
}

interface Proposals {
  proposals: Pick<AppStore['proposals'], 'underWay' | 'find'>;
}

/** Apart from those that the gate would refuse, because an earlier change of them is not settled. */
export function withoutLocked<T extends Named>(
  { proposals }: Pick<AppStore, 'proposals'>,
  profileId: string,
  campaigns: readonly T[],
): { free: T[]; locked: number[]; skipped: { what: Sentence; because: Sentence }[] } {
  const locks = new Map(campaigns.map(({ cid }) => [cid, proposals.lockOf(profileId, cid)]));
  const locked = campaigns.filter(({ cid }) => locks.get(cid) !== null);
  return {
    free: campaigns.filter(({ cid }) => locks.get(cid) === null),
    locked: locked.map(({ cid }) => cid),
    skipped: locked.map((one) => leftOut(one, becauseOf(proposals.find(locks.get(one.cid) ?? '')))),
  };
}

function becauseOf(lock: Pick<StoredProposal, 'state'> | null): Sentence {
  return lock === null || lock.state === 'unknown'
    ? sentence`An earlier change to it has an unknown outcome.`
    : sentence`An earlier change to it is being sent.`;
}

/** A campaign that is left out, and why. */
export function leftOut(
  { name, cid }: StartingCampaign,
  because: Sentence,
): { what: Sentence; because: Sentence } {
  return { what: name === null ? sentence`Campaign ${cid}` : sentence`${name} (${cid})`, because };
}
