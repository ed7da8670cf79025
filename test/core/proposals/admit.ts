import type { ProposalSummary } from '#shared/app-api/index.ts';
import { connectAgent } from '#test/servers/agent/connect-agent.ts';
import type { TestAgent } from '#test/servers/agent/agent.ts';
import type { World } from './world.ts';
import { eventually } from '#test/setup/eventually.ts';

/** Returns the proposals that await a decision, newest first. */
export async function waiting({ core }: World): Promise<ProposalSummary[]> {
  return (await core.handlers['proposals.list']({ which: 'waiting', before: null, limit: 100 })).items;
}

/** Waits for an undecided proposal of this kind, and returns the id of the newest. */
export async function oneWaits(world: World, kind: ProposalSummary['operation']): Promise<ProposalSummary> {
  return eventually(async () => {
    const found = (await waiting(world)).find(({ operation }) => operation === kind);
    if (found === undefined) throw new Error('Nothing waits');
    return found;
  });
}

/** Connects a real agent that a person has admitted to the active profile. It ends with the test. */
export async function admitAgent(world: World): Promise<TestAgent> {
  const { handlers } = world.core;
  await handlers['agents.openEndpoint']({ onAnotherPort: false });
  const { endpoint } = await handlers['agents.get']({});
  const coming = connectAgent(endpoint.url);
  await coming.page;
  await world.approve(await world.look((await oneWaits(world, 'agent.admit')).id));
  return coming.agent;
}
