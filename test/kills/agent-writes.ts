import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Core } from '#core/compose/compose.ts';
import { startAgent, textOf, type AgentMemory, type TestAgent } from '#test/servers/agent/agent.ts';

/** State that the agent's program keeps on its own disk. */
interface Notes {
  memory: AgentMemory;
  /** The commit that it has not had an answer to. */
  pending: Record<string, unknown> | null;
}

/** An agent that renames campaigns through the gateway, and repeats with the same key what it had no answer to. */
export interface AgentWrites {
  /** Resolves when the agent has its answer. Fails where the service did not complete the change. */
  rename(cid: number, name: string): Promise<void>;
}

/** The person at the confirmation approves the next that waits, unless the signal comes first. */
export type ApproveNext = (signal?: AbortSignal) => Promise<void>;

/** Connects, lets the agent in where that has not happened yet, and takes up what a kill interrupted. */
export async function startAgentWrites(
  core: Core,
  folder: string,
  approveNext: ApproveNext,
): Promise<AgentWrites> {
  const file = join(folder, 'agent.json');
  const notes: Notes = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as Notes)
    : { memory: {}, pending: null };
  // Renamed into its place: a kill in the middle of writing leaves the notes before it.
  const keep = (): void => {
    writeFileSync(`${file}.next`, JSON.stringify(notes));
    renameSync(`${file}.next`, file);
  };

  const coming = startAgent(await addressOf(core), {
    memory: notes.memory,
    signal: new AbortController().signal,
  });
  // Its grant may have been lost with a kill: whenever its browser asks, it is let in.
  coming.page.then(() => approveNext()).catch(() => undefined);
  const agent = await coming.agent;
  keep();
  if (notes.pending !== null) await takeUp(notes.pending);

  /** The same key again: whatever came of the first call is the answer, and where it never arrived it is asked now. */
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
