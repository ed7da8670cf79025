import { columnsOf, type Database, readRow, writes } from '../../sqlite/database.ts';

/** One tool of a profile's service as it was pinned, and as it is offered now where that is another definition. */
export interface ToolPin {
  profileId: string;
  name: string;
  /** Position in the service's list; -1 while it does not list the tool. */
  position: number;
  /** The definition that a person has accepted; null for a tool that is new since. */
  pinned: PinnedDefinition | null;
  /** A person has every call wait. Stored data can hold a call; it never lets one pass. */
  isTightened: boolean;
  /** The service's current definition if no person has reviewed it; null if it is the pinned one. */
  offered: PinnedDefinition | null;
  /** Number of other definitions that the service listed since the last review. */
  changes: number;
}

/** A recorded change of a definition that no person has reviewed since. */
export interface ReportedChange {
  name: string;
  hash: string;
}

export interface PinnedDefinition {
  /** SHA-256 over the RFC 8785 form of the definition. */
  hash: string;
  /** The definition as canonical JSON text. */
  definition: string;
  atMs: number;
}

export interface ToolPinRows {
  /** In the service's order. */
  of(profileId: string): ToolPin[];
  find(profileId: string, name: string): ToolPin | null;
  put(pin: ToolPin): void;
  remove(profileId: string, name: string): void;
  reported(profileId: string): ReportedChange[];
  markReported(profileId: string, change: ReportedChange): void;
  /** Marks a tool as reviewed: further changes are recorded again, also those of tools that are not listed. */
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
  const of = db.prepare<[string], ToolPinRow>(`${select} WHERE profile_id = ? ORDER BY position, name`);
  const find = db.prepare<[string, string], ToolPinRow>(`${select} WHERE profile_id = ? AND name = ?`);
  const put = db.prepare<[ToolPinRow]>(`INSERT OR REPLACE INTO tool_pin ${columns.inserted}`);
  const reported = db.prepare<[string], ReportedChange>(
    'SELECT name, hash FROM tool_change WHERE profile_id = ?',
  );
  const markReported = db.prepare<[string, string, string]>(
    'INSERT OR IGNORE INTO tool_change VALUES (?, ?, ?)',
  );
  const looked = db.prepare<{ profileId: string; name: string }>(
    `DELETE FROM tool_change WHERE profile_id = :profileId AND (name = :name OR name NOT IN
       (SELECT name FROM tool_pin WHERE profile_id = :profileId AND position >= 0))`,
  );
  const forget = db.prepare<[string]>('DELETE FROM tool_pin WHERE profile_id = ?');
  const forgetChanges = db.prepare<[string]>('DELETE FROM tool_change WHERE profile_id = ?');
  return {
    of: (profileId) => of.all(profileId).map(fromRow),
    find: (profileId, name) => readRow(find.get(profileId, name), fromRow),
    put: (pin) => void put.run(toRow(pin)),
    remove: writes(db, 'DELETE FROM tool_pin WHERE profile_id = ? AND name = ?'),
    reported: (profileId) => reported.all(profileId),
    markReported: (profileId, { name, hash }) => void markReported.run(profileId, name, hash),
    looked: (profileId, name) => void looked.run({ profileId, name }),
    forget(profileId) {
      forget.run(profileId);
      forgetChanges.run(profileId);
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
