import { readAllRows } from '#core/service-client/index.ts';
import type { AppOutput, ProposalView } from '#shared/app-api/index.ts';
import { leaveProposal } from '#test/servers/stores.ts';
import type { World } from '../proposals/world.ts';

/** Reads the status of every campaign of the service, by cid. */
export async function statuses(world: World): Promise<Map<number, number>> {
  const { rows } = await readAllRows(world.other);
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

/** Adds the profile Southwind, whose service does not answer. Returns the profile's id. */
export async function addSouthwind(world: World): Promise<string> {
  const address = 'http://127.0.0.1:9';
  const { id } = await world.core.handlers['profiles.add']({
    name: 'Southwind',
    zone: 'UTC',
    baseUrl: `${address}/api/v1`,
    apiUrl: address,
    mcpUrl: address,
    remoteAccess: 'oauth',
  });
  return id;
}

/** Starts the emergency stop and approves its pause. */
export async function pauseAll(world: World): Promise<ProposalView> {
  const { id } = await start(world);
  return (await world.approve(await world.look(id))).proposal;
}

export async function frozenSince(world: World): Promise<number | null> {
  return (await world.core.handlers['agents.get']({})).frozenSinceMs;
}

/** Makes a proposal's outcome unknown, as after a crash during the send, while the service cannot be read. */
export function leaveUnknown(world: World, id: string): void {
  leaveProposal(world.folder, id, { state: 'unknown' });
}
