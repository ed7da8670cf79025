import { expect } from 'vitest';
import type { AgentMemory, TestAgent } from '#test/servers/agent/agent.ts';
import { connectAgent } from '#test/servers/agent/connect-agent.ts';
import type { AppDriver } from './app.ts';

/** An agent comes to the gateway and a person lets it in, comparing the two words. */
export async function letIn(app: AppDriver, memory: AgentMemory = {}): Promise<TestAgent> {
  const coming = connectAgent(await app.agentAddress(), { memory });
  const page = await coming.page;
  const [id = ''] = await app.waiting(1);
  const confirmation = await app.bringUp(id);
  const { detail } = (await app.ask('proposals.get', { id })) as { detail: { words: string } };
  expect(page).toContain(detail.words);
  await confirmation.says(detail.words);
  await confirmation.pressApprove();
  const agent = await coming.agent;
  if (!confirmation.page.isClosed())
    await confirmation.page.getByRole('button', { name: 'Close window' }).click();
  return agent;
}
