import { z } from 'zod';
import { columnsOf, type Database, readAll, readFirst, rememberRows, writes } from '../../sqlite/database.ts';
import { isUndecided, type ProposalState } from '#shared/proposals/states.ts';

export interface StoredAgent {
  id: string;
  clientId: string;
  name: string;
  redirectHost: string;
  profileId: string;
  scopes: readonly string[];
  admittedAtMs: number;
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
  outdated: number;
  waiting: number;
}

export interface AgentReader {
  find(id: string): Readonly<StoredAgent> | null;
  all(): StoredAgent[];
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
  const insert = writes(db, `INSERT INTO agent ${agentColumns.inserted}`);
  const seen = writes(db, 'UPDATE agent SET grant_id = :grantId, last_seen_at_ms = :atMs WHERE id = :id');
  const end = writes(
    db,
    'UPDATE agent SET ended_at_ms = :atMs, ended_because = :because WHERE id = :id AND ended_at_ms IS NULL',
  );
  const states = readAll<{ state: ProposalState; approved: number; count: number }>(
    db,
    `SELECT state, intent_at_ms IS NOT NULL AS approved, count(*) AS count FROM proposal
     WHERE agent_id = ? AND operation <> 'agent.admit' GROUP BY state, intent_at_ms IS NOT NULL`,
  );
  const remembered = rememberRows(db, readFirst(db, `${selectAgent} WHERE id = ?`, fromRow));
  return {
    find: remembered.find,
    all: readAll(db, `${selectAgent} ORDER BY id DESC`, fromRow),
    living: readAll(db, `${selectAgent} WHERE ended_at_ms IS NULL ORDER BY id DESC`, fromRow),
    tally: (id) => tallyOf(states(id)),
    insert(agent) {
      remembered.forget();
      insert({ ...agent, scopes: JSON.stringify(agent.scopes) });
    },
    seen(id, { grantId, atMs }) {
      remembered.forget();
      seen({ id, grantId, atMs });
    },
    end(id, { atMs, because }) {
      remembered.forget();
      end({ id, atMs, because });
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

export interface RefusedAttempt {
  profileId: string;
  agentId: string;
  agentName: string;
  atMs: number;
  title: string;
  cids: readonly number[];
  campaignCount: number;
  rule: string;
  reason: string;
}

export interface StoredRefusedAttempt extends RefusedAttempt {
  id: number;
  times: number;
}

export interface RefusedAttemptRows {
  /** Increases the count of the agent's newest attempt if only the time differs. Keeps the newest `max` attempts of each profile. */
  add(attempt: RefusedAttempt, max: number): void;
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
  const select = `SELECT id, ${attemptColumns.selected} FROM refused_attempt`;
  const latest = readFirst<RefusedAttemptRow>(
    db,
    `${select} WHERE profile_id = ? AND agent_id = ? ORDER BY id DESC LIMIT 1`,
  );
  const repeat = writes(db, 'UPDATE refused_attempt SET times = times + 1, at_ms = ? WHERE id = ?');
  const insert = writes(db, `INSERT INTO refused_attempt ${attemptColumns.inserted}`);
  const prune = writes(
    db,
    `DELETE FROM refused_attempt WHERE profile_id = :profileId AND id NOT IN
       (SELECT id FROM refused_attempt WHERE profile_id = :profileId ORDER BY at_ms DESC, id DESC LIMIT :max)`,
  );
  return {
    add(attempt, max) {
      const row = { ...attempt, cids: JSON.stringify(attempt.cids) };
      const before = latest(attempt.profileId, attempt.agentId);
      if (before !== null && isSame(before, row)) repeat(attempt.atMs, before.id);
      else insert({ ...row, times: 1 });
      prune({ profileId: attempt.profileId, max });
    },
    newest: readAll(
      db,
      `${select} ORDER BY at_ms DESC, id DESC LIMIT ?`,
      (row: RefusedAttemptRow): StoredRefusedAttempt => ({
        ...row,
        cids: cidsSchema.parse(JSON.parse(row.cids)),
      }),
    ),
    forget: writes(db, 'DELETE FROM refused_attempt WHERE profile_id = ?'),
  };
}

function isSame(
  before: RefusedAttemptRow,
  { title, cids, rule, reason }: Omit<RefusedAttemptRow, 'id' | 'times'>,
): boolean {
  return before.title === title && before.cids === cids && before.rule === rule && before.reason === reason;
}
