import type { CountedMoney } from '#shared/campaign/index.ts';
import type { Moment } from '#core/platform/clock.ts';
import { type Database, readAll, readFirst, readValue, readValues } from '../../sqlite/database.ts';
import { type CampaignHistoryReader, createCampaignHistory } from './campaign-history.ts';
import {
  fromRow,
  listedColumns,
  listedFromRow,
  type ListedProposal,
  moneyOf,
  type StoredProposal,
} from './proposal-row.ts';

interface WaitingDecision {
  id: string;
  title: string;
  cids: number[];
}

export interface ProposalPageQuery {
  which: 'open' | 'settled';
  before: string | null;
  limit: number;
}

export interface ProposalReader extends AgentHistoryReader, CampaignHistoryReader {
  find(id: string): StoredProposal | null;
  /** Like `find`, without the details. Use it for lists. */
  findListed(id: string): ListedProposal | null;
  page(query: ProposalPageQuery): { proposals: ListedProposal[]; total: number };
  open(): ListedProposal[];
  /** Batches are not counted; all members of a batch made by a person count as one. */
  countUndecided(): number;
  /** Counts like `countUndecided`, but counts each change of a draft, even in a batch. */
  countUndecidedBySide(): { agents: number; drafts: number; own: number };
  /** Counts a batch once and not its members. */
  countWaiting(): number;
  undecided(agentId?: string): ListedProposal[];
  undecidedBatches(): StoredProposal[];
  countUndecidedOf(agentId: string): number;
  due(now: Moment, limit: number): StoredProposal[];
  dueAmong(ids: readonly string[], now: Moment): StoredProposal[];
  leftUntilExpiryMs(now: Moment): number | null;
  /** The proposal whose write is in flight, or has an unknown outcome that a read may settle. Ignores the proposal `besides`. */
  lockOf(profileId: string, cid: number, besides?: string | null): string | null;
  /** Like `lockOf`, for many campaigns at once. Contains only the locked campaigns. */
  locksOf(profileId: string, cids: readonly number[]): Map<number, string>;
  /** Approved writes that are not settled, oldest first, without batches. */
  underWay(profileId: string): ListedProposal[];
  countUnknownCampaigns(): number;
  undecidedFor(profileId: string, cid: number): string[];
  /** Newest first; a batch represents its members. */
  waitingDecisions(profileId: string): WaitingDecision[];
  written(query: { profileId: string; sinceMs: number }): string[];
  callsDone(query: { profileId: string; fromId: string; untilId: string }): string[];
  countPrunedByAgents(query: { profileId: string; agentId: string | null; sinceMs: number }): number;
  undosOf(id: string): ListedProposal[];
  openBatchOf(id: string): string | null;
  /** The newest batch of undos that contains this proposal. */
  undoBatchOf(id: string): string | null;
  /** Undecided changes; the members of a batch instead of the batch. */
  waitingMoney(profileId: string): CountedMoney[];
  /** Settled writes of agents that were sent since then. */
  moneyOfAgents(query: { profileId: string; sinceMs: number }): CountedMoney[];
}

// Must be spelled as in the partial indexes of the first migration, or SQLite does not use them.
const open = "('proposed', 'shown', 'approved', 'intent', 'sent', 'unknown')";
const undecided = "('proposed', 'shown')";
const locked = "('intent', 'sent', 'unknown')";
const underWay = "('approved', 'intent', 'sent', 'unknown')";
const settled = "('verified', 'differs', 'done', 'refused', 'denied', 'expired', 'withdrawn', 'stale')";

const countedMoney = `SELECT json_extract(origin, '$.headline.perDay') AS perDay,
  json_array_length(origin, '$.targets') AS targetCount FROM proposal`;

function countedMoneyOf({ perDay, targetCount }: { perDay: string; targetCount: number }): CountedMoney {
  return { perDay: moneyOf(perDay), targetCount };
}

/** A proposal whose outcome can no longer be found must not lock a campaign. */
const unknowable = `(proposal.state = 'unknown' AND proposal.progress ->> '$.outcome.code' IS 'outcome_unknowable')`;

const batched = `proposal AS batch, json_each(batch.payload, '$.members') AS member
     WHERE batch.operation = 'batch' AND batch.state IN ${open}`;
const inBatch = `(SELECT member.value ->> 'id' FROM ${batched})`;

const ofDrafts = '(SELECT proposal_id FROM draft_review WHERE returned_at_ms IS NULL)';

const columns = listedColumns.join(', ');

export function createProposalReader(db: Database): ProposalReader {
  const isListed = `state IN ${open} AND NOT ${unknowable}`;
  const openPage = pageOf(`${isListed} AND id NOT IN ${inBatch}`);
  const settledPage = pageOf(`(state NOT IN ${open} OR ${unknowable})`);
  const countListed = count(`${isListed} AND id NOT IN ${inBatch}`);
  const countOpen = count(isListed);
  const countAll = count('1');
  const countPlaces = (fits: string): (() => number) => {
    const isOwn = `state IN ${undecided} AND agent_id IS NULL AND ${fits}`;
    const single = count(`${isOwn} AND operation <> 'batch' AND id NOT IN ${inBatch}`);
    const together = readValue<number>(
      db,
      `SELECT count(DISTINCT batch.id) FROM ${batched} AND member.value ->> 'id' IN
         (SELECT id FROM proposal WHERE ${isOwn})`,
    );
    return () => single() + (together() ?? 0);
  };
  const countPeople = countPlaces('1');
  const countOwn = countPlaces(`id NOT IN ${ofDrafts}`);
  const countOfDrafts = count(`state IN ${undecided} AND id IN ${ofDrafts}`);
  const countOfAgents = count(`state IN ${undecided} AND operation <> 'batch' AND agent_id IS NOT NULL`);
  const undecidedOnes = listed(`state IN ${undecided} AND (? IS NULL OR agent_id = ?) ORDER BY id`);
  const countOfAgent = count(`state IN ${undecided} AND agent_id = ? AND operation <> 'agent.admit'`);
  // The proposal expires by the clock on which more time has passed.
  const byUptime = `expires_at_ms - created_at_ms - (:monotonicMs - json_extract(origin, '$.createdUptimeMs'))`;
  const left = `min(expires_at_ms - :wallMs, coalesce(${byUptime}, expires_at_ms - :wallMs))`;
  const due = (which: string) =>
    readAll(db, `SELECT * FROM proposal WHERE state IN ${undecided} AND ${left} <= 0 AND ${which}`, fromRow);
  const firstDue = due('1 ORDER BY id LIMIT :limit');
  const dueOf = due('id IN (SELECT value FROM json_each(:ids)) ORDER BY id');
  // The order of the joins is fixed, because SQLite would read the targets of every open proposal for each campaign.
  const targeted = (states: string) =>
    readAll<{ cid: number; id: string }>(
      db,
      `SELECT proposal_target.cid, proposal.id FROM json_each(:cids) AS wanted
       CROSS JOIN proposal_target ON proposal_target.cid = wanted.value
       CROSS JOIN proposal ON proposal.id = proposal_target.proposal_id
       WHERE proposal.profile_id = :profileId AND proposal.state IN ${states}
         AND NOT ${unknowable} AND proposal.id IS NOT :besides
       ORDER BY proposal.id DESC`,
    );
  const locking = targeted(locked);
  const undecidedFor = targeted(undecided);
  // The order of the joins is fixed, because SQLite would look up the proposal of every campaign.
  const waitingDecisions = readAll(
    db,
    `WITH listed AS (SELECT member.value ->> 'id' AS id, batch.id AS batch FROM ${batched}),
       waiting AS MATERIALIZED (SELECT proposal.id, coalesce(listed.batch, proposal.id) AS decision FROM proposal
         LEFT JOIN listed ON listed.id = proposal.id WHERE proposal.state IN ${undecided} AND proposal.profile_id = ?),
       target AS (SELECT decision, json_group_array(DISTINCT cid ORDER BY cid) AS cids FROM waiting
         CROSS JOIN proposal_target ON proposal_target.proposal_id = waiting.id GROUP BY decision)
     SELECT decision AS id, proposal.origin ->> '$.headline.title' AS title, cids FROM target
     JOIN proposal ON proposal.id = decision ORDER BY decision DESC`,
    ({ id, title, cids }: { id: string; title: string; cids: string }): WaitingDecision => ({
      id,
      title,
      cids: JSON.parse(cids) as number[],
    }),
  );
  const readBack = `profile_id = :profileId AND intent_at_ms >= :sinceMs
       AND state IN ('verified', 'differs', 'done') AND operation NOT IN ('batch', 'agent.admit')`;
  const countUnknown = readValue<number>(
    db,
    `SELECT count(DISTINCT proposal_target.cid) FROM proposal
     JOIN proposal_target ON proposal_target.proposal_id = proposal.id
     WHERE proposal.state IN ${open} AND proposal.state = 'unknown' AND NOT ${unknowable}`,
  );

  function pageOf(which: string) {
    return listed(`${which} AND id < ? ORDER BY id DESC LIMIT ?`);
  }

  function count(where: string): (...bound: unknown[]) => number {
    const counted = readValue<number>(db, `SELECT count(*) FROM proposal WHERE ${where}`);
    return (...bound) => counted(...bound) ?? 0;
  }

  function listed(where: string): (...bound: unknown[]) => ListedProposal[] {
    return readAll(db, `SELECT ${columns} FROM proposal WHERE ${where}`, listedFromRow);
  }

  return {
    ...createAgentHistory(db),
    ...createCampaignHistory(db),
    find: readFirst(db, 'SELECT * FROM proposal WHERE id = ?', fromRow),
    findListed: readFirst(db, `SELECT ${columns} FROM proposal WHERE id = ?`, listedFromRow),
    page({ which, before, limit }) {
      // Ids consist of digits and lower-case letters, which sort before `~`.
      const proposals = (which === 'open' ? openPage : settledPage)(before ?? '~', limit);
      return { proposals, total: which === 'open' ? countListed() : countAll() - countOpen() };
    },
    open: listed(`state IN ${open} ORDER BY id`),
    countUndecided: () => countPeople() + countOfAgents(),
    countUndecidedBySide: () => ({ agents: countOfAgents(), drafts: countOfDrafts(), own: countOwn() }),
    countWaiting: count(`state IN ${undecided} AND id NOT IN ${inBatch}`),
    undecided: (agentId) => undecidedOnes(agentId ?? null, agentId ?? null),
    undecidedBatches: readAll(
      db,
      `SELECT * FROM proposal WHERE state IN ${undecided} AND operation = 'batch' ORDER BY id`,
      fromRow,
    ),
    countUndecidedOf: countOfAgent,
    due: (now, limit) => firstDue({ ...now, limit }),
    dueAmong: (ids, now) => dueOf({ ...now, ids: JSON.stringify(ids) }),
    leftUntilExpiryMs: readValue<number>(db, `SELECT min(${left}) FROM proposal WHERE state IN ${undecided}`),
    lockOf: (profileId, cid, besides = null) =>
      locking({ profileId, cids: JSON.stringify([cid]), besides })[0]?.id ?? null,
    locksOf(profileId, cids) {
      const newestLast = locking({ profileId, cids: JSON.stringify(cids), besides: null }).toReversed();
      return new Map(newestLast.map(({ cid, id }) => [cid, id]));
    },
    underWay: listed(
      `state IN ${open} AND state IN ${underWay} AND profile_id = ?
       AND operation <> 'batch' AND NOT ${unknowable} ORDER BY id`,
    ),
    countUnknownCampaigns: () => countUnknown() ?? 0,
    undecidedFor: (profileId, cid) =>
      undecidedFor({ profileId, cids: JSON.stringify([cid]), besides: null }).map(({ id }) => id),
    waitingDecisions,
    written: readValues<string>(
      db,
      `SELECT id FROM proposal WHERE ${readBack} AND pruned_at_ms IS NULL ORDER BY intent_at_ms, id`,
    ),
    callsDone: readValues<string>(
      db,
      `SELECT id FROM proposal WHERE id >= :fromId AND id < :untilId AND profile_id = :profileId
         AND state IN ('verified', 'differs', 'done') AND operation = 'tool.call' ORDER BY id LIMIT 200`,
    ),
    countPrunedByAgents: count(
      `${readBack} AND pruned_at_ms IS NOT NULL
         AND agent_id IS NOT NULL AND (:agentId IS NULL OR agent_id = :agentId)`,
    ),
    undosOf: listed(`json_extract(origin, '$.undoes.id') = ? ORDER BY id DESC`),
    openBatchOf: readValue<string>(db, `SELECT batch.id FROM ${batched} AND member.value ->> 'id' = ?`),
    // A batch whose details were removed has no payload. The plus keeps SQLite on the index of undos.
    undoBatchOf: readValue<string>(
      db,
      `SELECT max(+batch.id) FROM proposal AS batch, json_each(iif(batch.payload = '', '{}', batch.payload), '$.members') AS member
       WHERE batch.operation = 'batch' AND json_extract(batch.origin, '$.undoes.id') IS NOT NULL
         AND member.value ->> 'id' = ?`,
    ),
    waitingMoney: readAll(
      db,
      `${countedMoney} WHERE state IN ${undecided} AND profile_id = ? AND operation NOT IN ('batch', 'agent.admit')`,
      countedMoneyOf,
    ),
    // The first line lets SQLite use the index of settled proposals. Details of this day are never removed.
    moneyOfAgents: readAll(
      db,
      `${countedMoney} WHERE pruned_at_ms IS NULL AND state IN ${settled} AND updated_at_ms >= :sinceMs
         AND agent_id IS NOT NULL AND ${readBack}`,
      countedMoneyOf,
    ),
  };
}

interface SpentAttempt {
  atMs: number;
  state: 'withdrawn' | 'expired' | 'refused';
}

interface AgentHistoryReader {
  /** Proposals that ended without a denial, a write or a successor, earliest end first. Null: requests for admission. */
  spentAttempts(agentId: string | null, afterId: string): SpentAttempt[];
  /** Newest first; without proposals that Countersign repeated because their base had changed. */
  proposedAtOfAgent(agentId: string, afterMs: number): number[];
  raisesOfAgent(agentId: string, afterMs: number, replaced: string | null): CountedMoney[];
}

const own = `agent_id = ? AND operation NOT IN ('agent.admit', 'batch')`;
const waiting = `('proposed', 'shown')`;
const approved = `('approved', 'intent', 'sent', 'verified', 'differs', 'done', 'unknown')`;

const spent = `SELECT updated_at_ms AS atMs, state FROM proposal
  WHERE state IN ('withdrawn', 'expired', 'refused') AND json_extract(progress, '$.replacedBy') IS NULL`;

function createAgentHistory(db: Database): AgentHistoryReader {
  const spentOfAgent = readAll<SpentAttempt>(
    db,
    `${spent} AND agent_id = ? AND id > ? AND operation <> 'agent.admit' ORDER BY updated_at_ms`,
  );
  const spentOnAdmission = readAll<SpentAttempt>(
    db,
    `${spent} AND id > ? AND operation = 'agent.admit' ORDER BY updated_at_ms`,
  );
  const raises = readAll(
    db,
    `${countedMoney} WHERE ${own} AND id IS NOT ? AND (state IN ${waiting} OR (state IN ${approved} AND updated_at_ms > ?))`,
    countedMoneyOf,
  );
  return {
    spentAttempts: (agentId, afterId) =>
      agentId === null ? spentOnAdmission(afterId) : spentOfAgent(agentId, afterId),
    proposedAtOfAgent: readValues<number>(
      db,
      `SELECT created_at_ms FROM proposal
       WHERE ${own} AND created_at_ms > ? AND json_extract(origin, '$.rebase') IS NULL
       ORDER BY created_at_ms DESC`,
    ),
    raisesOfAgent: (agentId, afterMs, replaced) => raises(agentId, replaced, afterMs),
  };
}
