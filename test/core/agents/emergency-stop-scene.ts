import { randomUUID } from 'node:crypto';
import BetterSqlite3 from 'better-sqlite3';
import { readEveryRow } from '#core/service-client/index.ts';
import type { AppOutput, ProposalView } from '#shared/app-api/index.ts';
import { databaseIn } from '../ledger/fixture.ts';
import type { World } from '../proposals/world.ts';

/** The status of every campaign that the service has. */
export async function statuses(world: World): Promise<Map<number, number>> {
  const { rows } = await readEveryRow(world.other);
  return new Map(rows.map(({ cid, status }) => [cid, status]));
}

export async function cidsWith(world: World, ...wanted: number[]): Promise<number[]> {
  return [...(await statuses(world))].filter(([, status]) => wanted.includes(status)).map(([cid]) => cid);
}

export function emergencyStopView(
  world: World,
): AppOutput<'emergencyStop.get'> | Promise<AppOutput<'emergencyStop.get'>> {
  return world.core.handlers['emergencyStop.get']({});
}

export async function start(world: World): Promise<ProposalView> {
  const { id } = await world.core.handlers['emergencyStop.start']({});
  if (id === null) throw new Error('Nothing was left to pause');
  return world.core.handlers['proposals.get']({ id });
}

/** Starts the stop and approves its pause. */
export async function pauseAll(world: World): Promise<ProposalView> {
  const { id } = await start(world);
  return (await world.approve(await world.look(id))).proposal;
}

export async function frozenSince(world: World): Promise<number | null> {
  return (await world.core.handlers['agents.get']({})).frozenSinceMs;
}

/** As a crash in the midst of sending would, while the service cannot be read. */
export function leaveUnknown(world: World, id: string): void {
  const db = new BetterSqlite3(databaseIn(world.folder));
  db.prepare("UPDATE proposal SET state = 'unknown' WHERE id = ?").run(id);
  db.close();
}

/** As where a campaign of it had moved: another proposal asks for it. */
export function replace(world: World, id: string, by: string): void {
  const db = new BetterSqlite3(databaseIn(world.folder));
  db.prepare(
    `UPDATE proposal SET state = 'stale', progress = json_set(progress, '$.replacedBy', ?) WHERE id = ?`,
  ).run(by, id);
  db.close();
}

/** An agent that a person let into a profile. */
export function admitAgent(world: World, profileId: string): void {
  const db = new BetterSqlite3(databaseIn(world.folder));
  db.prepare(
    `INSERT INTO agent (id, client_id, name, redirect_host, profile_id, scopes, admitted_at_ms)
     VALUES (:id, :id, 'Claude Code', '127.0.0.1', :profileId, '[]', 1)`,
  ).run({ id: randomUUID(), profileId });
  db.close();
}
