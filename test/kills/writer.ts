import type { Core } from '#core/compose/compose.ts';
import { startAgentWrites, type AgentWrites } from './agent-writes.ts';
import { openKilledCore, say } from './killed-core.ts';
import { proposeUpdate } from '#test/fixtures/propose-update.ts';

/*
 * A program that writes through the gate until it is killed. Arguments: the data folder, the data key, the milliseconds by
 * which its clock is ahead (so that no start is earlier than the previous start), a word for its campaign names, the proposer
 * (`person` or `agent`), and the moment of death: `random` (the parent kills), `settle` (writes nothing, ends when every
 * outcome is known), `intent`, `answer`, `sent`, `verified` (it kills itself at this point). Prints `ready`, `ack <cid>
 * <name> <proposal>` for every acknowledged write, and `settled`.
 */
const [folder = '', dataKey = '', aheadMs = '0', word = '', who = 'person', point = 'random'] =
  process.argv.slice(2);

/** For each point, the number of changes of the proposal that pages have been told about. */
const stepsAt: Partial<Record<string, number>> = { intent: 4, sent: 5, verified: 6 };

const writtenCampaigns = 8;

const die = (): void => void process.kill(process.pid, 'SIGKILL');

const { core, faults, approve } = await openKilledCore({ folder, dataKey, aheadMs: Number(aheadMs) });

if (point === 'settle') {
  await settleAll(core);
  say('settled');
  await core.dispose();
} else {
  const agent =
    who === 'agent'
      ? await startAgentWrites(core, folder, async (signal) => void (await approveNext(core, signal)))
      : null;
  dieAt(core, point);
  say('ready');
  for (let write = 0; ; write += 1) await writeOnce(core, write, agent);
}

function dieAt({ subscribe }: Core, where: string): void {
  if (where === 'answer' && who === 'person') faults.arm({ kind: 'meanwhile', method: 'PUT', run: die });
  const deadly = stepsAt[where];
  const steps = new Map<string, number>();
  subscribe((event) => {
    if (event.kind !== 'proposals.changed') return;
    const step = (steps.get(event.id) ?? 0) + 1;
    steps.set(event.id, step);
    // Until its intent is recorded, a commit is handled like any other tool call.
    if (where === 'answer' && who === 'agent' && step === stepsAt.intent)
      faults.arm({ kind: 'meanwhile', method: 'POST', path: '/mcp', run: die });
    if (step === deadly) die();
  });
}

/** Renames one campaign through the whole write path. Names are unique, so that a stored name identifies its write. */
async function writeOnce(core: Core, write: number, agent: AgentWrites | null): Promise<void> {
  const { handlers } = core;
  const { rows } = await handlers['campaigns.page']({
    filter: { query: '', status: null, types: [], sort: 'cid', order: 'asc' },
    page: 1,
    perPage: writtenCampaigns,
  });
  const row = rows[write % rows.length];
  if (row === undefined) throw new Error('The demo account has no campaign');
  const { lockedBy } = await handlers['campaigns.get']({ cid: row.cid });
  if (lockedBy !== null) return;
  const name = `kill-${word}-${write}`;
  if (agent !== null) {
    const [proposal] = await Promise.all([approveNext(core), agent.rename(row.cid, name)]);
    say(`ack ${row.cid} ${name} ${proposal}`);
    return;
  }
  if (await decideWaiting(core, row.cid)) return;
  const { id } = await proposeUpdate(handlers, {
    cid: row.cid,
    changes: [{ field: 'name', from: row.name, to: name }],
  });
  await approveVerified(id);
  say(`ack ${row.cid} ${name} ${id}`);
}

/** Approves an earlier start's proposal for this campaign's drafts if it is undecided, because it blocks new drafts. */
async function decideWaiting({ handlers }: Core, cid: number): Promise<boolean> {
  const { campaigns } = await handlers['drafts.get']({ cids: [cid] });
  const proposalId = campaigns[0]?.proposalId ?? null;
  if (proposalId === null) return false;
  await approveVerified(proposalId);
  return true;
}

async function approveVerified(id: string): Promise<void> {
  const state = await approve(id);
  if (state !== 'verified') throw new Error(`The write ended ${state}`);
}

/** Waits for an undecided proposal and approves it; returns null if the signal is aborted first. */
async function approveNext(core: Core, signal?: AbortSignal): Promise<string | null> {
  for (;;) {
    if (signal?.aborted === true) return null;
    const { items } = await core.handlers['proposals.list']({ which: 'waiting', before: null, limit: 1 });
    const [next] = items.filter(({ state }) => state === 'proposed');
    if (next !== undefined) {
      await approveVerified(next.id);
      return next.id;
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function settleAll({ handlers }: Core): Promise<void> {
  for (;;) {
    const { items } = await handlers['proposals.list']({ which: 'waiting', before: null, limit: 200 });
    const unknown = items.filter(({ state }) => state === 'unknown');
    if (unknown.length === 0) return;
    for (const { id } of unknown) await handlers['proposals.settle']({ id });
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
