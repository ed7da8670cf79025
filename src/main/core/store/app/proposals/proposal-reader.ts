import { z } from 'zod';
import type { Moment } from '#core/platform/clock.ts';
import { proposalSummarySchema } from '#shared/app-api/index.ts';
import { type Database, readColumn, readRow } from '../../sqlite/database.ts';
import { type CampaignHistoryReader, createCampaignHistory } from './campaign-history.ts';
import {
  fromRow,
  type Headline,
  listedColumns,
  listedFromRow,
  type ListedProposal,
  type ListedRow,
  moneyOf,
  type ProposalRow,
  type StoredProposal,
} from './proposal-row.ts';

interface WaitingDecision {
  id: string;
  title: string;
  /** Each once, ascending. */
  cids: number[];
}

/** The proposals of a page; newest first. */
export interface ProposalPageQuery {
  /** `open` is everything that is not settled: proposed to sent, and unknown. */
  which: 'open' | 'settled';
  /** Only proposals older than this one; null for the newest. */
  before: string | null;
  limit: number;
}

export interface ProposalReader extends AgentHistoryReader, CampaignHistoryReader {
  find(id: string): StoredProposal | null;
  /** The same without its details: much faster. */
  findListed(id: string): ListedProposal | null;
  /** Members of a batch that is open are not listed beside it. */
  page(query: ProposalPageQuery): { proposals: ListedProposal[]; total: number };
  /** Everything that is not settled, oldest first. */
  open(): ListedProposal[];
  /** Places taken by what waits for a decision. A batch takes none; those that a person's own batch lists take one together. */
  countUndecided(): number;
  /** The same apart: those of admitted agents, changes of drafts, each by itself even in a batch, and all others. */
  countUndecidedBySide(): { agents: number; drafts: number; own: number };
  /** Decisions that wait: a batch counts once, and its members do not. */
  countWaiting(): number;
  /** Waiting for a decision, oldest first; of one agent where it is named. */
  undecided(agentId?: string): ListedProposal[];
  /** Batches that wait for a decision, oldest first. */
  undecidedBatches(): StoredProposal[];
  countUndecidedOf(agentId: string): number;
  /** Waiting for a decision and past their expiry, oldest first; at most `limit`. */
  due(now: Moment, limit: number): StoredProposal[];
  /** Time until the first of all that wait for a decision is past its expiry, or null. */
  leftUntilExpiryMs(now: Moment): number | null;
  /** The proposal whose write is under way, or unknown and may be settled by a read; null if none. Ignores `besides`. */
  lockOf(profileId: string, cid: number, besides?: string): string | null;
  /** Writes of a profile that were approved and are not settled, oldest first: each lock, and what waits for its turn. No batches. */
  underWay(profileId: string): ListedProposal[];
  countUnknownCampaigns(): number;
  undecidedFor(profileId: string, cid: number): string[];
  /** Decisions of a profile that wait and name campaigns, newest first; a batch stands in for its members. */
  waitingDecisions(profileId: string): WaitingDecision[];
  /** Ids of writes to a profile's service that were read back, by agents and people, with their details still there, in the order of sending. */
  written(query: { profileId: string; sinceMs: number }): string[];
  /** Executed calls of tools that were proposed for a profile in this range of ids, oldest first; 200 at most. */
  callsDone(query: { profileId: string; fromId: string; untilId: string }): string[];
  /** Number of writes by agents (one or all) whose details were removed, so that their effect is unknown. */
  countPrunedByAgents(query: { profileId: string; agentId: string | null; sinceMs: number }): number;
  /** The proposals that take back the effect of this one, in whatever state, newest first. */
  undosOf(id: string): ListedProposal[];
  /** The batch that is not settled and lists this proposal, or null. */
  openBatchOf(id: string): string | null;
  /** The newest batch that takes another proposal back and lists this one, in any state; null if there is none. */
  undoBatchOf(id: string): string | null;
  waitingMoney(profileId: string): Headline['perDay'][];
}

// These lists repeat the partial indexes of migration 2 word by word; SQLite uses an index only then.
const open = "('proposed', 'shown', 'approved', 'intent', 'sent', 'unknown')";
const undecided = "('proposed', 'shown')";
const locking = "('intent', 'sent', 'unknown')";
const underWay = "('approved', 'intent', 'sent', 'unknown')";

/** Matches an outcome that is no longer looked for: it locks nothing, and waits for nothing. */
const unknowable = `(proposal.state = 'unknown' AND proposal.progress ->> '$.outcome.code' IS 'outcome_unknowable')`;

const batched = `proposal AS batch, json_each(batch.payload, '$.members') AS member
     WHERE batch.operation = 'batch' AND batch.state IN ${open}`;
const inBatch = `(SELECT member.value ->> 'id' FROM ${batched})`;

const ofDrafts = '(SELECT proposal_id FROM draft_review WHERE returned_at_ms IS NULL)';

const columns = listedColumns.join(', ');

export function createProposalReader(db: Database): ProposalReader {
  const find = db.prepare<[string], ProposalRow>(`SELECT * FROM proposal WHERE id = ?`);
  const findListed = db.prepare<[string], ListedRow>(`SELECT ${columns} FROM proposal WHERE id = ?`);
  const openPage = pageStatement(`state IN ${open} AND NOT ${unknowable} AND id NOT IN ${inBatch}`);
  const settledPage = pageStatement(`(state NOT IN ${open} OR ${unknowable})`);
  const countListed = count(
    `SELECT count(*) FROM proposal WHERE state IN ${open} AND NOT ${unknowable} AND id NOT IN ${inBatch}`,
  );
  const countOpen = count(`SELECT count(*) FROM proposal WHERE state IN ${open} AND NOT ${unknowable}`);
  const countAll = count('SELECT count(*) FROM proposal');
  /** The places of people's changes that fit: those that a batch lists take one together. */
  const placesOf = (fits: string): string =>
    `(SELECT count(*) FROM proposal WHERE state IN ${undecided} AND operation <> 'batch' AND agent_id IS NULL
        AND ${fits} AND id NOT IN ${inBatch})
     + (SELECT count(DISTINCT batch.id) FROM ${batched} AND member.value ->> 'id' IN
         (SELECT id FROM proposal WHERE state IN ${undecided} AND agent_id IS NULL AND ${fits}))`;
  const countPeople = count(`SELECT ${placesOf('1')}`);
  const countOwn = count(`SELECT ${placesOf(`id NOT IN ${ofDrafts}`)}`);
  const countOfDrafts = count(
    `SELECT count(*) FROM proposal WHERE state IN ${undecided} AND id IN ${ofDrafts}`,
  );
  const countOfAgents = count(
    `SELECT count(*) FROM proposal WHERE state IN ${undecided} AND operation <> 'batch' AND agent_id IS NOT NULL`,
  );
  const countWaiting = count(
    `SELECT count(*) FROM proposal WHERE state IN ${undecided} AND id NOT IN ${inBatch}`,
  );
  const openOnes = db.prepare<[], ListedRow>(
    `SELECT ${columns} FROM proposal WHERE state IN ${open} ORDER BY id`,
  );
  const underWayOnes = db.prepare<[string], ListedRow>(
    `SELECT ${columns} FROM proposal WHERE state IN ${open} AND state IN ${underWay} AND profile_id = ?
       AND operation <> 'batch' AND NOT ${unknowable} ORDER BY id`,
  );
  const undecidedOnes = db.prepare<[string | null, string | null], ListedRow>(
    `SELECT ${columns} FROM proposal WHERE state IN ${undecided} AND (? IS NULL OR agent_id = ?) ORDER BY id`,
  );
  const undecidedBatches = db.prepare<[], ProposalRow>(
    `SELECT * FROM proposal WHERE state IN ${undecided} AND operation = 'batch' ORDER BY id`,
  );
  const countOfAgent = readColumn<[string], number>(
    db,
    `SELECT count(*) FROM proposal WHERE state IN ${undecided} AND agent_id = ? AND operation <> 'agent.admit'`,
  );
  // By the clock by which more has passed, as `passedSince` counts.
  const byUptime = `expires_at_ms - created_at_ms - (:monotonicMs - json_extract(origin, '$.createdUptimeMs'))`;
  const left = `min(expires_at_ms - :wallMs, coalesce(${byUptime}, expires_at_ms - :wallMs))`;
  const due = db.prepare<Moment & { limit: number }, ProposalRow>(
    `SELECT * FROM proposal WHERE state IN ${undecided} AND ${left} <= 0 ORDER BY id LIMIT :limit`,
  );
  const nextExpiry = readColumn<[Moment], number | null>(
    db,
    `SELECT min(${left}) FROM proposal WHERE state IN ${undecided}`,
  );
  const targeted = (states: string): string =>
    `SELECT proposal.id FROM proposal_target JOIN proposal ON proposal.id = proposal_target.proposal_id
     WHERE proposal_target.cid = ? AND proposal.profile_id = ? AND proposal.state IN ${states}
       AND NOT ${unknowable} AND proposal.id IS NOT ?
     ORDER BY proposal.id DESC`;
  const lock = readColumn<[number, string, string | null], string>(db, targeted(locking));
  const undecidedFor = readColumn<[number, string, string | null], string>(db, targeted(undecided));
  const waitingTargets = db.prepare<[string], { id: string; title: string; cid: number }>(
    `WITH listed AS (SELECT member.value ->> 'id' AS id, batch.id AS batch FROM ${batched}),
       target AS (SELECT coalesce(listed.batch, proposal.id) AS decision, proposal_target.cid FROM proposal
         JOIN proposal_target ON proposal_target.proposal_id = proposal.id LEFT JOIN listed ON listed.id = proposal.id
         WHERE proposal.state IN ${undecided} AND proposal.profile_id = ?)
     SELECT DISTINCT decision AS id, proposal.origin ->> '$.headline.title' AS title, cid FROM target
     JOIN proposal ON proposal.id = decision ORDER BY decision DESC, cid`,
  );
  const readBack = `FROM proposal WHERE profile_id = :profileId AND intent_at_ms >= :sinceMs
       AND state IN ('verified', 'differs', 'done') AND operation NOT IN ('batch', 'agent.admit')`;
  const written = readColumn<[{ profileId: string; sinceMs: number }], string>(
    db,
    `SELECT id ${readBack} AND pruned_at_ms IS NULL ORDER BY intent_at_ms, id`,
  );
  const callsDone = readColumn<[{ profileId: string; fromId: string; untilId: string }], string>(
    db,
    `SELECT id FROM proposal WHERE id >= :fromId AND id < :untilId AND profile_id = :profileId
         AND state IN ('verified', 'differs', 'done') AND operation = 'tool.call' ORDER BY id LIMIT 200`,
  );
  const prunedByAgents = readColumn<[{ profileId: string; agentId: string | null; sinceMs: number }], number>(
    db,
    `SELECT count(*) ${readBack} AND pruned_at_ms IS NOT NULL
         AND agent_id IS NOT NULL AND (:agentId IS NULL OR agent_id = :agentId)`,
  );
  const countUnknown = count(
    `SELECT count(DISTINCT proposal_target.cid) FROM proposal
     JOIN proposal_target ON proposal_target.proposal_id = proposal.id
     WHERE proposal.state IN ${open} AND proposal.state = 'unknown' AND NOT ${unknowable}`,
  );

  const openBatchOf = readColumn<[string], string>(
    db,
    `SELECT batch.id FROM ${batched} AND member.value ->> 'id' = ?`,
  );
  // A batch whose details were removed has no payload. The plus keeps to the index of undos.
  const undoBatchOf = readColumn<[string], string | null>(
    db,
    `SELECT max(+batch.id) FROM proposal AS batch, json_each(iif(batch.payload = '', '{}', batch.payload), '$.members') AS member
       WHERE batch.operation = 'batch' AND json_extract(batch.origin, '$.undoes.id') IS NOT NULL
         AND member.value ->> 'id' = ?`,
  );
  const undosOf = db.prepare<[string], ListedRow>(
    `SELECT ${columns} FROM proposal WHERE json_extract(origin, '$.undoes.id') = ? ORDER BY id DESC`,
  );
  const waitingMoney = readColumn<[string], string>(
    db,
    `SELECT json_extract(origin, '$.headline.perDay') FROM proposal
       WHERE state IN ${undecided} AND profile_id = ? AND operation NOT IN ('batch', 'agent.admit')`,
  );

  function pageStatement(which: string) {
    return db.prepare<[string, number], ListedRow>(
      `SELECT ${columns} FROM proposal WHERE ${which} AND id < ? ORDER BY id DESC LIMIT ?`,
    );
  }

  function count(sql: string): () => number {
    const statement = readColumn<[], number>(db, sql);
    return () => statement.get() ?? 0;
  }

  return {
    ...createAgentHistory(db),
    ...createCampaignHistory(db),
    find: (id) => readRow(find.get(id), fromRow),
    findListed: (id) => readRow(findListed.get(id), listedFromRow),
    page({ which, before, limit }) {
      // Every id is made of digits and lower-case letters, which all sort before this.
      const rows = (which === 'open' ? openPage : settledPage).all(before ?? '~', limit);
      const total = which === 'open' ? countListed() : countAll() - countOpen();
      return { proposals: rows.map(listedFromRow), total };
    },
    open: () => openOnes.all().map(listedFromRow),
    countUndecided: () => countPeople() + countOfAgents(),
    countUndecidedBySide: () => ({ agents: countOfAgents(), drafts: countOfDrafts(), own: countOwn() }),
    countWaiting,
    undecided: (agentId) => undecidedOnes.all(agentId ?? null, agentId ?? null).map(listedFromRow),
    undecidedBatches: () => undecidedBatches.all().map(fromRow),
    countUndecidedOf: (agentId) => countOfAgent.get(agentId) ?? 0,
    due: (now, limit) => due.all({ ...now, limit }).map(fromRow),
    leftUntilExpiryMs: (now) => nextExpiry.get({ ...now }) ?? null,
    lockOf: (profileId, cid, besides) => lock.get(cid, profileId, besides ?? null) ?? null,
    underWay: (profileId) => underWayOnes.all(profileId).map(listedFromRow),
    countUnknownCampaigns: countUnknown,
    undecidedFor: (profileId, cid) => undecidedFor.all(cid, profileId, null),
    waitingDecisions: (profileId) => byDecision(waitingTargets.all(profileId)),
    written: (query) => written.all(query),
    callsDone: (query) => callsDone.all(query),
    countPrunedByAgents: (query) => prunedByAgents.get(query) ?? 0,
    undosOf: (id) => undosOf.all(id).map(listedFromRow),
    openBatchOf: (id) => openBatchOf.get(id) ?? null,
    undoBatchOf: (id) => undoBatchOf.get(id) ?? null,
    waitingMoney: (profileId) => waitingMoney.all(profileId).map(moneyOf),
  };
}

function byDecision(rows: readonly { id: string; title: string; cid: number }[]): WaitingDecision[] {
  const decisions = new Map<string, WaitingDecision>();
  for (const { id, title, cid } of rows) {
    const known = decisions.get(id);
    if (known === undefined) decisions.set(id, { id, title, cids: [cid] });
    else known.cids.push(cid);
  }
  return [...decisions.values()];
}

interface SpentAttempt {
  atMs: number;
  state: 'withdrawn' | 'expired' | 'refused';
}

interface AgentHistoryReader {
  /**
   * Proposals made after `afterId` that ended without a denial, a write or a successor, oldest end first. Null: requests
   * for admission.
   */
  spentAttempts(agentId: string | null, afterId: string): SpentAttempt[];
  /** When it proposed something after this moment, newest first. What Countersign asked again on a moved base is not its own. */
  proposedAtOfAgent(agentId: string, afterMs: number): number[];
  /**
   * Money at risk per day of what waits, and of what was approved and moved after this moment, without the replaced
   * proposal.
   */
  raisesOfAgent(
    agentId: string,
    afterMs: number,
    replaced: string | null,
  ): { perDay: Headline['perDay']; targetCount: number }[];
}

const own = `agent_id = ? AND operation NOT IN ('agent.admit', 'batch')`;
const waiting = `('proposed', 'shown')`;
const approved = `('approved', 'intent', 'sent', 'verified', 'differs', 'done', 'unknown')`;

const perDaySchema = proposalSummarySchema.shape.perDay;
const rowSchema = z.object({ perDay: z.string(), targetCount: z.int() });

const spent = `SELECT updated_at_ms AS atMs, state FROM proposal
  WHERE state IN ('withdrawn', 'expired', 'refused') AND json_extract(progress, '$.replacedBy') IS NULL`;

function createAgentHistory(db: Database): AgentHistoryReader {
  const spentOfAgent = db.prepare<[string, string], SpentAttempt>(
    `${spent} AND agent_id = ? AND id > ? AND operation <> 'agent.admit' ORDER BY updated_at_ms`,
  );
  const spentOnAdmission = db.prepare<[string], SpentAttempt>(
    `${spent} AND id > ? AND operation = 'agent.admit' ORDER BY updated_at_ms`,
  );
  const proposedAt = readColumn<[string, number], number>(
    db,
    `SELECT created_at_ms FROM proposal
       WHERE ${own} AND created_at_ms > ? AND json_extract(origin, '$.rebase') IS NULL
       ORDER BY created_at_ms DESC`,
  );
  const raises = db.prepare<[string, string | null, number]>(
    `SELECT json_extract(origin, '$.headline.perDay') AS perDay, json_array_length(origin, '$.targets') AS targetCount
     FROM proposal WHERE ${own} AND id IS NOT ? AND (state IN ${waiting} OR (state IN ${approved} AND updated_at_ms > ?))`,
  );
  return {
    spentAttempts: (agentId, afterId) =>
      agentId === null ? spentOnAdmission.all(afterId) : spentOfAgent.all(agentId, afterId),
    proposedAtOfAgent: (agentId, afterMs) => proposedAt.all(agentId, afterMs),
    raisesOfAgent: (agentId, afterMs, replaced) =>
      raises.all(agentId, replaced, afterMs).map((row) => {
        const { perDay, targetCount } = rowSchema.parse(row);
        return { perDay: perDaySchema.parse(JSON.parse(perDay)), targetCount };
      }),
  };
}
