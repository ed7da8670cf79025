import type { World } from '#test/core/proposals/world.ts';

/**
 * Calls a function after the service has stored the name “Other” of an agent’s change, and before Countersign reads the change
 * back.
 */
export function onceWritten(world: World, cid: number, work: () => unknown): void {
  const look = async (): Promise<void> => {
    const { edit } = await world.other.get(cid);
    if (edit.campaign['name'] === 'Other') await work();
    else arm();
  };
  const arm = () => world.service.faults.arm({ kind: 'meanwhile', method: 'POST', path: '/mcp', run: look });
  arm();
}

/** Makes the service refuse every read of a campaign, so that a change cannot be read back. */
export function failReads(world: World): void {
  for (let at = 0; at < 40; at += 1) {
    world.service.faults.arm({ kind: 'answer', status: 500, method: 'GET', path: '/login/campaigns' });
  }
}
