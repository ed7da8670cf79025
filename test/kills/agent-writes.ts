import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Core } from '#core/compose/compose.ts';
import { startAgent, textOf, type AgentMemory, type TestAgent } from '#test/servers/agent/agent.ts';

/** The state that the agent's program keeps on its own disk. */
interface Notes {
  memory: AgentMemory;
  /** The commit without an answer. */
  pending: Record<string, unknown> | null;
}

/**
 * An agent that renames campaigns through the gateway. After a kill it repeats an unanswered commit with the same idempotency
 * key.
 */
export interface AgentWrites {
  /** Resolves when the agent has its answer. Fails if the service did not complete the change. */
  rename(cid: number, name: string): Promise<void>;
}

/** Approves the next undecided proposal as the person does, unless the signal is aborted first. */
export type ApproveNext = (signal?: AbortSignal) => Promise<void>;

/** Connects the agent, admits it if it was not admitted yet, and repeats the commit that a kill interrupted. */
export async function startAgentWrites(
  core: Core,
  folder: string,
  approveNext: ApproveNext,
): Promise<AgentWrites> {
  const file = join(folder, 'agent.json');
  const notes: Notes = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as Notes)
    : { memory: {}, pending: null };
  // Written to another file and renamed, so that a kill during the write keeps the previous notes.
  const keep = (): void => {
    writeFileSync(`${file}.next`, JSON.stringify(notes));
    renameSync(`${file}.next`, file);
  };

  const coming = startAgent(await addressOf(core), {
    memory: notes.memory,
    signal: new AbortController().signal,
  });
  // A kill may have lost the agent's grant, so the agent is admitted whenever its browser asks.
  coming.page.then(() => approveNext()).catch(() => undefined);
  const agent = await coming.agent;
  keep();
  if (notes.pending !== null) await takeUp(notes.pending);

  /**
   * Repeats the commit with its key. The answer is the result of the first call; if the first call never arrived, the person
   * is asked now.
   */
  async function takeUp(args: Record<string, unknown>): Promise<void> {
    const answered = new AbortController();
    const approved = approveNext(answered.signal);
    await agent.call('svc_commit', args);
    answered.abort();
    await approved;
    notes.pending = null;
    keep();
  }

  return {
    async rename(cid, name) {
      const args = await prepared(agent, cid, name);
      notes.pending = args;
      keep();
      const answer = await agent.call('svc_commit', args);
      if (answer.isError === true) throw new Error(textOf(answer));
      notes.pending = null;
      keep();
    },
  };
}

async function addressOf({ handlers }: Core): Promise<string> {
  for (;;) {
    const { url } = (await handlers['agents.get']({})).endpoint;
    if (url !== '') return url;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function prepared(agent: TestAgent, cid: number, name: string): Promise<Record<string, unknown>> {
  const answer = await agent.call('svc_prepare_campaign_update', { cid, changes: { name } });
  if (answer.isError === true) throw new Error(textOf(answer));
  const { approval, payload } = (
    answer.structuredContent as { data: { approval: { id: string; fingerprint: string }; payload: object } }
  ).data;
  return {
    approvalId: approval.id,
    fingerprint: approval.fingerprint,
    payload,
    idempotencyKey: `kill-${approval.id}`,
  };
}
