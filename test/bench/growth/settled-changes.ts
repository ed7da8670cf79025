import { randomBytes } from 'node:crypto';
import { callOf, claude, createAgentWorld, prepare } from '#test/core/proposals/tool-call/agent-world.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';

/** Makes a data folder in which six changes of an agent's bids were approved and verified. No process has it open. */
export async function settledChanges(): Promise<{ folder: string; dataKey: Buffer }> {
  const folder = tempFolder();
  const dataKey = randomBytes(32);
  const world = await createAgentWorld({ folder, dataKey, campaigns: 60 });
  const { data } = await world.connection.member.list({ page: 1, perPage: 60, sort: 'cid', order: 'asc' });
  const running = data.filter(({ status, payout }) => status === 1 && payout < 0.5).slice(0, 6);
  for (const { cid, payout } of running) {
    const changes = { payout: Number((payout * 1.1).toFixed(4)) };
    const { args, prepared } = await prepare(world, 'svc_prepare_campaign_update', { cid, changes });
    const { id } = await world.gate.agents.propose(callOf('svc_commit', args, { prepared, agent: claude }));
    const { state } = await world.approve(id);
    if (state !== 'verified') throw new Error(`A change ended as ${state}`);
  }
  await world.end();
  return { folder, dataKey };
}
