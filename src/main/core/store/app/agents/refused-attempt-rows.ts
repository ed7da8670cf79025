import { z } from 'zod';
import type { Database } from '../../sqlite/index.ts';

/** A write that an agent asked for and that was refused before it was a proposal. */
export interface RefusedAttempt {
  profileId: string;
  agentId: string;
  /** The agent's own claim: foreign text. */
  agentName: string;
  /** When it was asked last. */
  atMs: number;
  /** The change in one sentence; foreign text in it is quoted. */
  title: string;
  /** The campaigns that it names: the first ones of `campaignCount`. */
  cids: readonly number[];
  campaignCount: number;
  /** The rule that refused it. */
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
  /**
   * Adds the attempt. What is equal to the agent's newest one but for its moment is counted there instead. Of each profile
   * the newest `max` stay.
   */
  add(attempt: RefusedAttempt, max: number): void;
  /** Newest first. */
  newest(limit: number): StoredRefusedAttempt[];
  forget(profileId: string): void;
}

interface RefusedAttemptRow extends Omit<StoredRefusedAttempt, 'cids'> {
  /** JSON. */
  cids: string;
}

const columns = `id, profile_id AS profileId, agent_id AS agentId, agent_name AS agentName, at_ms AS atMs, times, title,
  cids, campaign_count AS campaignCount, rule, reason`;

const cidsSchema = z.array(z.int().positive());

/** Refused attempts, whose id counts up with their moment. */
export function createRefusedAttemptRows(db: Database): RefusedAttemptRows {
  const latest = db.prepare<[string, string], RefusedAttemptRow>(
    `SELECT ${columns} FROM refused_attempt WHERE profile_id = ? AND agent_id = ? ORDER BY id DESC LIMIT 1`,
  );
  const repeat = db.prepare<[number, number]>(
    'UPDATE refused_attempt SET times = times + 1, at_ms = ? WHERE id = ?',
  );
  const insert = db.prepare<[Omit<RefusedAttemptRow, 'id' | 'times'>]>(
    `INSERT INTO refused_attempt (profile_id, agent_id, agent_name, at_ms, times, title, cids, campaign_count, rule, reason)
     VALUES (:profileId, :agentId, :agentName, :atMs, 1, :title, :cids, :campaignCount, :rule, :reason)`,
  );
  const prune = db.prepare<{ profileId: string; max: number }>(
    `DELETE FROM refused_attempt WHERE profile_id = :profileId AND id NOT IN
       (SELECT id FROM refused_attempt WHERE profile_id = :profileId ORDER BY at_ms DESC, id DESC LIMIT :max)`,
  );
  const newest = db.prepare<[number], RefusedAttemptRow>(
    `SELECT ${columns} FROM refused_attempt ORDER BY at_ms DESC, id DESC LIMIT ?`,
  );
  const forget = db.prepare<[string]>('DELETE FROM refused_attempt WHERE profile_id = ?');
  return {
    add(attempt, max) {
      const row = { ...attempt, cids: JSON.stringify(attempt.cids) };
      const before = latest.get(attempt.profileId, attempt.agentId);
      if (before !== undefined && isSame(before, row)) repeat.run(attempt.atMs, before.id);
      else insert.run(row);
      prune.run({ profileId: attempt.profileId, max });
    },
    newest: (limit) =>
      newest.all(limit).map((row) => ({ ...row, cids: cidsSchema.parse(JSON.parse(row.cids)) })),
    forget: (profileId) => void forget.run(profileId),
  };
}

function isSame(
  before: RefusedAttemptRow,
  { title, cids, rule, reason }: Omit<RefusedAttemptRow, 'id' | 'times'>,
): boolean {
  return before.title === title && before.cids === cids && before.rule === rule && before.reason === reason;
}
