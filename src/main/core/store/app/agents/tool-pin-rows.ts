import { columnsOf, type Database, readAll, readFirst, writes } from '../../sqlite/database.ts';

export interface ToolPin {
  profileId: string;
  name: string;
  /** -1 if the service does not list the tool. */
  position: number;
  /** The definition that a person accepted; null for a new tool. */
  pinned: PinnedDefinition | null;
  /** Stored data can make calls wait for approval, but can never let a call pass. */
  isTightened: boolean;
  /** A definition that no person has reviewed yet; null if the service lists the pinned definition. */
  offered: PinnedDefinition | null;
  changes: number;
}

export interface ReportedChange {
  name: string;
  hash: string;
}

export interface PinnedDefinition {
  hash: string;
  definition: string;
  atMs: number;
}

export interface ToolPinRows {
  of(profileId: string): ToolPin[];
  find(profileId: string, name: string): ToolPin | null;
  put(pin: ToolPin): void;
  remove(profileId: string, name: string): void;
  reported(profileId: string): ReportedChange[];
  markReported(profileId: string, change: ReportedChange): void;
  /**
   * Forgets the recorded changes of this tool and of all unlisted tools, because a person has reviewed the tool. Later changes
   * are recorded again.
   */
  looked(profileId: string, name: string): void;
  forget(profileId: string): void;
}

interface ToolPinRow extends Omit<ToolPin, 'pinned' | 'offered' | 'isTightened'> {
  hash: string | null;
  definition: string | null;
  pinnedAtMs: number | null;
  isTightened: number;
  offeredHash: string | null;
  offeredDefinition: string | null;
  offeredAtMs: number | null;
}

const columns = columnsOf(
  `profileId name position hash definition pinnedAtMs isTightened offeredHash offeredDefinition offeredAtMs changes`,
);
const select = `SELECT ${columns.selected} FROM tool_pin`;

export function createToolPinRows(db: Database): ToolPinRows {
  const put = writes(db, `INSERT OR REPLACE INTO tool_pin ${columns.inserted}`);
  const markReported = writes(db, 'INSERT OR IGNORE INTO tool_change VALUES (?, ?, ?)');
  const looked = writes(
    db,
    `DELETE FROM tool_change WHERE profile_id = :profileId AND (name = :name OR name NOT IN
       (SELECT name FROM tool_pin WHERE profile_id = :profileId AND position >= 0))`,
  );
  const forget = writes(db, 'DELETE FROM tool_pin WHERE profile_id = ?');
  const forgetChanges = writes(db, 'DELETE FROM tool_change WHERE profile_id = ?');
  return {
    of: readAll(db, `${select} WHERE profile_id = ? ORDER BY position, name`, fromRow),
    find: readFirst(db, `${select} WHERE profile_id = ? AND name = ?`, fromRow),
    put: (pin) => put(toRow(pin)),
    remove: writes(db, 'DELETE FROM tool_pin WHERE profile_id = ? AND name = ?'),
    reported: readAll<ReportedChange>(db, 'SELECT name, hash FROM tool_change WHERE profile_id = ?'),
    markReported: (profileId, { name, hash }) => markReported(profileId, name, hash),
    looked: (profileId, name) => looked({ profileId, name }),
    forget(profileId) {
      forget(profileId);
      forgetChanges(profileId);
    },
  };
}

function fromRow({
  hash,
  definition,
  pinnedAtMs,
  offeredHash,
  offeredDefinition,
  offeredAtMs,
  isTightened,
  ...row
}: ToolPinRow): ToolPin {
  return {
    ...row,
    isTightened: isTightened !== 0,
    pinned: definitionOf(hash, definition, pinnedAtMs),
    offered: definitionOf(offeredHash, offeredDefinition, offeredAtMs),
  };
}

function definitionOf(
  hash: string | null,
  definition: string | null,
  atMs: number | null,
): PinnedDefinition | null {
  return hash === null || definition === null || atMs === null ? null : { hash, definition, atMs };
}

function toRow({ pinned, offered, isTightened, ...pin }: ToolPin): ToolPinRow {
  return {
    ...pin,
    isTightened: Number(isTightened),
    hash: pinned?.hash ?? null,
    definition: pinned?.definition ?? null,
    pinnedAtMs: pinned?.atMs ?? null,
    offeredHash: offered?.hash ?? null,
    offeredDefinition: offered?.definition ?? null,
    offeredAtMs: offered?.atMs ?? null,
  };
}
