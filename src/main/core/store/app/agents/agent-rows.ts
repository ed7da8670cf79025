import { z } from 'zod';
import { columnsOf, rememberRows, type Database, writes } from '../../sqlite/database.ts';
import { isUndecided, type ProposalState } from '#shared/proposals/states.ts';

/** An agent that a person allowed (docs/agents.md). */
export interface StoredAgent {
  id: string;
  clientId: string;
  /** As the agent calls itself: foreign text. */
  name: string;
  redirectHost: string;
  /** The one profile that its calls go to. */
  profileId: string;
  scopes: readonly string[];
  admittedAtMs: number;
  /** Id of its grant at the gateway's authorization server; null before its first call. */
  grantId: string | null;
  lastSeenAtMs: number | null;
  endedAtMs: number | null;
  endedBecause: AgentEnd | null;
}

export type AgentEnd = 'revoked' | 'replaced' | 'signed-out' | 'profile-removed' | 'restored';

export interface AgentTally {
  asked: number;
  approved: number;
  denied: number;
  expired: number;
  withdrawn: number;
  /** Its campaign changed before it was sent. */
  outdated: number;
  waiting: number;
}

export interface AgentReader {
  find(id: string): Readonly<StoredAgent> | null;
  /** Newest first. */
  all(): StoredAgent[];
  /** Admitted agents, newest first. */
  living(): StoredAgent[];
  tally(id: string): AgentTally;
}

export interface AgentWriter {
  insert(agent: StoredAgent): void;
  seen(id: string, seen: { grantId: string; atMs: number }): void;
  end(id: string, end: { atMs: number; because: AgentEnd }): void;
}

type AgentRow = Omit<StoredAgent, 'scopes' | 'endedBecause'> & {
  scopes: string;
  endedBecause: string | null;
};

const agentColumns = columnsOf(
  `id clientId name redirectHost profileId scopes admittedAtMs grantId lastSeenAtMs endedAtMs endedBecause`,
);
const selectAgent = `SELECT ${agentColumns.selected} FROM agent`;

const scopesSchema = z.array(z.string());
const endSchema = z.enum(['revoked', 'replaced', 'signed-out', 'profile-removed', 'restored']).nullable();

export function createAgentRows(db: Database): AgentReader & AgentWriter {
  const find = db.prepare<[string], AgentRow>(`${selectAgent} WHERE id = ?`);
  const all = db.prepare<[], AgentRow>(`${selectAgent} ORDER BY id DESC`);
  const living = db.prepare<[], AgentRow>(`${selectAgent} WHERE ended_at_ms IS NULL ORDER BY id DESC`);
  const insert = db.prepare(`INSERT INTO agent ${agentColumns.inserted}`);
  const seen = db.prepare<{ id: string; grantId: string; atMs: number }>(
    'UPDATE agent SET grant_id = :grantId, last_seen_at_ms = :atMs WHERE id = :id',
  );
  const end = db.prepare<{ id: string; atMs: number; because: AgentEnd }>(
    'UPDATE agent SET ended_at_ms = :atMs, ended_because = :because WHERE id = :id AND ended_at_ms IS NULL',
  );
  const states = db.prepare<[string], { state: ProposalState; approved: number; count: number }>(
    `SELECT state, intent_at_ms IS NOT NULL AS approved, count(*) AS count FROM proposal
     WHERE agent_id = ? AND operation <> 'agent.admit' GROUP BY state, intent_at_ms IS NOT NULL`,
  );
  const remembered = rememberRows(db, (id) => {
    const row = find.get(id);
    return row === undefined ? null : fromRow(row);
  });
  return {
    find: remembered.find,
    all: () => all.all().map(fromRow),
    living: () => living.all().map(fromRow),
    tally: (id) => tallyOf(states.all(id)),
    insert(agent) {
      remembered.forget();
      insert.run({ ...agent, scopes: JSON.stringify(agent.scopes) });
    },
    seen(id, { grantId, atMs }) {
      remembered.forget();
      seen.run({ id, grantId, atMs });
    },
    end(id, { atMs, because }) {
      remembered.forget();
      end.run({ id, atMs, because });
    },
  };
}

function fromRow(row: AgentRow): StoredAgent {
  return {
    ...row,
    scopes: scopesSchema.parse(JSON.parse(row.scopes)),
    endedBecause: endSchema.parse(row.endedBecause),
  };
}

function tallyOf(rows: readonly { state: ProposalState; approved: number; count: number }[]): AgentTally {
  const tally = { asked: 0, approved: 0, denied: 0, expired: 0, withdrawn: 0, outdated: 0, waiting: 0 };
  for (const { state, approved, count } of rows) {
    tally.asked += count;
    if (approved === 1 || state === 'approved') tally.approved += count;
    else if (state === 'denied') tally.denied += count;
    else if (isUndecided(state)) tally.waiting += count;
    else if (state === 'withdrawn') tally.withdrawn += count;
    else if (state === 'stale') tally.outdated += count;
    else tally.expired += count;
  }
  return tally;
}

/** A write that an agent asked for and that was refused before it was a proposal. */
export interface RefusedAttempt {
  profileId: string;
  agentId: string;
  /** The agent's own claim: foreign text. */
  agentName: string;
  atMs: number;
  /** The change in one sentence; foreign text in it is quoted. */
  title: string;
  /** The campaigns that it names: the first ones of `campaignCount`. */
  cids: readonly number[];
  campaignCount: number;
  rule: string;
  /** The limit and what would pass, in words. */
  reason: string;
}

export interface StoredRefusedAttempt extends RefusedAttempt {
  id: number;
  /** Number of identical attempts in a row. */
  times: number;
}

export interface RefusedAttemptRows {
  /** Adds it, or counts it with the agent's newest one if only the moment differs. Keeps the newest `max` of each profile. */
  add(attempt: RefusedAttempt, max: number): void;
  /** Newest first. */
  newest(limit: number): StoredRefusedAttempt[];
  forget(profileId: string): void;
}

interface RefusedAttemptRow extends Omit<StoredRefusedAttempt, 'cids'> {
  cids: string;
}

const attemptColumns = columnsOf(
  'profileId agentId agentName atMs times title cids campaignCount rule reason',
);

const cidsSchema = z.array(z.int().positive());

export function createRefusedAttemptRows(db: Database): RefusedAttemptRows {
  const latest = db.prepare<[string, string], RefusedAttemptRow>(
    `SELECT id, ${attemptColumns.selected} FROM refused_attempt WHERE profile_id = ? AND agent_id = ? ORDER BY id DESC LIMIT 1`,
  );
  const repeat = db.prepare<[number, number]>(
    'UPDATE refused_attempt SET times = times + 1, at_ms = ? WHERE id = ?',
  );
  const insert = db.prepare<[Omit<RefusedAttemptRow, 'id'>]>(
    `INSERT INTO refused_attempt ${attemptColumns.inserted}`,
  );
  const prune = db.prepare<{ profileId: string; max: number }>(
    `DELETE FROM refused_attempt WHERE profile_id = :profileId AND id NOT IN
       (SELECT id FROM refused_attempt WHERE profile_id = :profileId ORDER BY at_ms DESC, id DESC LIMIT :max)`,
  );
  const newest = db.prepare<[number], RefusedAttemptRow>(
    `SELECT id, ${attemptColumns.selected} FROM refused_attempt ORDER BY at_ms DESC, id DESC LIMIT ?`,
  );
  return {
    add(attempt, max) {
      const row = { ...attempt, cids: JSON.stringify(attempt.cids) };
      const before = latest.get(attempt.profileId, attempt.agentId);
      if (before !== undefined && isSame(before, row)) repeat.run(attempt.atMs, before.id);
      else insert.run({ ...row, times: 1 });
      prune.run({ profileId: attempt.profileId, max });
    },
    newest: (limit) =>
      newest.all(limit).map((row) => ({ ...row, cids: cidsSchema.parse(JSON.parse(row.cids)) })),
    forget: writes(db, 'DELETE FROM refused_attempt WHERE profile_id = ?'),
  };
}

function isSame(
  before: RefusedAttemptRow,
  { title, cids, rule, reason }: Omit<RefusedAttemptRow, 'id' | 'times'>,
): boolean {
  return before.title === title && before.cids === cids && before.rule === rule && before.reason === reason;
}
