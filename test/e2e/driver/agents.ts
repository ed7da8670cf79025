import { expect } from 'vitest';
import type { AgentMemory, TestAgent } from '#test/servers/agent/agent.ts';
import { connectAgent } from '#test/servers/agent/connect-agent.ts';
import { armingDelayMs } from '#shared/host-api/index.ts';
import type { ManualClock } from '#test/servers/manual-clock.ts';
import type { AppDriver } from './app.ts';
import type { ConfirmationDriver } from './confirmation.ts';

/** Connects an agent to the gateway. A person compares the two words and admits the agent. */
export async function admitAgent(
  app: AppDriver,
  { name, memory = {}, clock }: { name?: string; memory?: AgentMemory; clock?: ManualClock } = {},
): Promise<TestAgent> {
  const coming = connectAgent(await app.agentAddress(), { memory, ...(name === undefined ? {} : { name }) });
  const page = await coming.page;
  const [id = ''] = await app.waiting(1);
  const confirmation = await app.bringUp(id);
  const { detail } = (await app.ask('proposals.get', { id })) as { detail: { words: string } };
  expect(page).toContain(detail.words);
  await confirmation.says(detail.words);
  await approve(confirmation, clock);
  const agent = await coming.agent;
  await confirmation.close();
  return agent;
}

/** Presses Approve. With a manual clock, it is advanced past the arming delay first. */
export async function approve(confirmation: ConfirmationDriver, clock?: ManualClock): Promise<void> {
  await confirmation.armed();
  clock?.advance(armingDelayMs);
  await confirmation.pressApprove();
}
