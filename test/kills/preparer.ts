import { startAgent } from '#test/servers/agent/agent.ts';
import { openKilledCore, say } from './killed-core.ts';
import { proposeUpdate } from '#test/fixtures/propose-update.ts';

/*
 * A program that prepares a change again and kills itself meanwhile. Arguments: the data folder, the data key, the proposer
 * (`person` or `agent`), and the number of the service's answers after which it dies; 0 only reports. Prints the proposal's
 * id when it begins to prepare. With 0 it prints `left <state> <name of the campaign>` for every proposal that another start
 * has left, and `again <state>` for the result of preparing it once more.
 */
const [folder = '', dataKey = '', who = 'person', answers = '0'] = process.argv.slice(2);

const nightMs = 25 * 60 * 60_000;
const { core, faults, pass, approve } = await openKilledCore({
  folder,
  dataKey,
  aheadMs: answers === '0' ? 2 * nightMs : 0,
});
const { handlers } = core;

/** Counts the service's answers from now on, and kills the process right after the last of them. */
function dieAfter(left: number): void {
  const path = who === 'agent' ? '/mcp' : '/campaigns';
  const run = (): void => {
    if (left <= 1) process.kill(process.pid, 'SIGKILL');
    else dieAfter(left - 1);
  };
  faults.arm({ kind: 'meanwhile', path, run });
}

async function campaign(): Promise<{ cid: number; name: string }> {
  const { rows } = await handlers['campaigns.page']({
    filter: { query: '', status: null, types: [], sort: 'cid', order: 'asc' },
    page: 1,
    perPage: 1,
  });
  const [row] = rows;
  if (row === undefined) throw new Error('The demo account has no campaign');
  return row;
}

async function newest(which: 'waiting' | 'past'): Promise<string | null> {
  const { items } = await handlers['proposals.list']({ which, before: null, limit: 50 });
  return items.find(({ operation }) => operation !== 'agent.admit')?.id ?? null;
}

async function waiting(): Promise<string> {
  for (;;) {
    const { items } = await handlers['proposals.list']({ which: 'waiting', before: null, limit: 50 });
    const [first] = items;
    if (first !== undefined) return first.id;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function address(): Promise<string> {
  for (;;) {
    const { url } = (await handlers['agents.get']({})).endpoint;
    if (url !== '') return url;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Proposes an agent's commit, which waits in its call. */
async function proposeAsAgent(): Promise<string> {
  const coming = startAgent(await address(), { memory: {}, signal: new AbortController().signal });
  coming.page.catch(() => undefined);
  await approve(await waiting());
  const agent = await coming.agent;
  const { cid } = await campaign();
  agent.change(cid, { name: 'Prepared by an agent' }).catch(() => undefined);
  return waiting();
}

async function proposeAsPerson(): Promise<string> {
  const { cid, name } = await campaign();
  const changes = [{ field: 'name', from: name, to: 'Prepared by a person' }];
  return (await proposeUpdate(handlers, { cid, changes })).id;
}

if (answers === '0') {
  const id = (await newest('waiting')) ?? (await newest('past')) ?? '';
  const { state } = await handlers['proposals.get']({ id });
  say(`left ${state} ${(await campaign()).name}`);
  if (state === 'expired') {
    await handlers['proposals.prepareAgain']({ id });
    say(`again ${(await handlers['proposals.get']({ id: await waiting() })).state}`);
  }
  await core.dispose();
} else {
  const id = who === 'agent' ? await proposeAsAgent() : await proposeAsPerson();
  // The service's approval expires in minutes; the person's own change expires in a day.
  pass(who === 'agent' ? 11 * 60_000 : nightMs);
  dieAfter(Number(answers));
  say(id);
  await handlers['proposals.prepareAgain']({ id });
  say('not killed');
}
