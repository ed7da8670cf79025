import type { Sentence } from '#shared/lib/sentence.ts';
import { columnsOf, type Database, readAll, readValue, readValues, writes } from '../sqlite/database.ts';

/** When the campaigns of a sent pause return. A pause of many campaigns has several parts, whose rows share one id. */
export interface StoredPauseReturn {
  pauseId: string;
  id: string;
  profileId: string;
  atMs: number;
  proposalId: string | null;
  ended: Sentence | null;
}

export interface PauseReturnRows {
  /** Does nothing if the pause already has a row. */
  put(row: Pick<StoredPauseReturn, 'pauseId' | 'id' | 'profileId' | 'atMs'>): void;
  find(id: string): StoredPauseReturn[];
  ofProfile(profileId: string): StoredPauseReturn[];
  /** The parts of returns without a proposal that are due, earliest first. */
  due(nowMs: number): StoredPauseReturn[];
  nextAtMs(): number | null;
  plannedPauses(profileId: string): string[];
  move(to: { id: string; atMs: number }): void;
  proposed(by: { id: string; proposalId: string }): void;
  end(by: { id: string; because: Sentence }): void;
  remove(id: string): void;
  /** Removes returns that were due before this time and were proposed or have ended. */
  removePast(beforeMs: number): void;
  forget(profileId: string): void;
}

const planned = 'pauseId id profileId atMs';
const select = `SELECT ${columnsOf(`${planned} proposalId ended`).selected} FROM pause_return`;
const isOpen = 'proposal_id IS NULL AND ended IS NULL';

export function createPauseReturnRows(db: Database): PauseReturnRows {
  return {
    put: writes(db, `INSERT INTO pause_return ${columnsOf(planned).inserted} ON CONFLICT DO NOTHING`),
    find: readAll(db, `${select} WHERE id = ? ORDER BY pause_id`),
    ofProfile: readAll(db, `${select} WHERE profile_id = ? ORDER BY at_ms, id, pause_id`),
    due: readAll(db, `${select} WHERE ${isOpen} AND at_ms <= ? ORDER BY at_ms, id, pause_id`),
    nextAtMs: readValue<number>(db, `SELECT at_ms FROM pause_return WHERE ${isOpen} ORDER BY at_ms LIMIT 1`),
    plannedPauses: readValues(db, `SELECT pause_id FROM pause_return WHERE profile_id = ? AND ${isOpen}`),
    move: writes(db, `UPDATE pause_return SET at_ms = :atMs WHERE id = :id AND ${isOpen}`),
    proposed: writes(db, `UPDATE pause_return SET proposal_id = :proposalId WHERE id = :id AND ${isOpen}`),
    end: writes(db, `UPDATE pause_return SET ended = :because WHERE id = :id AND ${isOpen}`),
    remove: writes(db, 'DELETE FROM pause_return WHERE id = ?'),
    removePast: writes(db, `DELETE FROM pause_return WHERE at_ms < ? AND NOT (${isOpen})`),
    forget: writes(db, 'DELETE FROM pause_return WHERE profile_id = ?'),
  };
}
