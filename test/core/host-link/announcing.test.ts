import { expect, test } from 'vitest';
import { armingDelayMs, type Display } from '#shared/host-api/index.ts';
import { connectAgent } from '#test/servers/agent/connect-agent.ts';
import { linkCore, type Linked } from './linked.ts';
import { approve, see } from './scenario.ts';
import { eventually } from '#test/setup/eventually.ts';

const shown = (linked: Linked): Display[] => linked.all('show').map(({ display }) => display);

/** Waits until the core has shown `count` confirmations on its own, and returns the last. */
async function displays(linked: Linked, count: number): Promise<Display> {
  await eventually(() => expect(shown(linked)).toHaveLength(count));
  const last = shown(linked).at(-1);
  if (last === undefined) throw new Error('Nothing was shown');
  return last;
}

async function waiting(linked: Linked, count: number): Promise<void> {
  await eventually(async () => {
    const { total } = await linked.output<{ total: number }>('app', 'proposals.list', {
      which: 'waiting',
      before: null,
      limit: 1,
    });
    expect(total).toBe(count);
  });
}

async function decideOn(linked: Linked, display: Display): Promise<void> {
  await see(linked, display);
  linked.clock.advance(armingDelayMs);
  await approve(linked, display);
}

test('requests of agents appear on the desktop by themselves, one at a time, and a closed one does not appear again', async () => {
  const linked = linkCore();
  await linked.ready();
  const address = await eventually(async () => {
    const { endpoint } = await linked.output<{ endpoint: { url: string } }>('app', 'agents.get', {});
    expect(endpoint.url).not.toBe('');
    return endpoint.url;
  });

  const first = connectAgent(address, { name: 'First' });
  await first.page;
  const admission = await displays(linked, 1);
  expect(admission.proposal).toMatchObject({ operation: 'agent.admit', proposedBy: { name: 'First' } });

  const second = connectAgent(address, { name: 'Second' });
  second.agent.catch(() => {});
  await second.page;
  await waiting(linked, 2);
  expect(shown(linked)).toHaveLength(1);

  await decideOn(linked, admission);
  const next = await displays(linked, 2);
  expect(next.proposal.proposedBy.name).toBe('Second');

  const agent = await first.agent;
  const { rows } = await linked.output<{ rows: { cid: number }[] }>('app', 'campaigns.page', {
    filter: { query: '', status: 1, types: [], sort: 'cid', order: 'asc' },
    page: 1,
    perPage: 2,
  });
  const [one = 0, two = 0] = rows.map(({ cid }) => cid);
  const { displayId, nonce } = next;
  const late = agent.change(one, { name: 'Another name' });
  late.catch(() => {});
  await waiting(linked, 2);
  await linked.output('confirmation', 'postpone', { displayId, nonce });
  expect(await linked.ask('confirmation', 'postpone', { displayId, nonce })).toMatchObject({
    error: { code: 'display_unknown' },
  });
  expect(shown(linked)).toHaveLength(2);

  const newer = agent.change(two, { name: 'Another name' });
  newer.catch(() => {});
  const third = await displays(linked, 3);
  expect(third.proposal.targets.map(({ cid }) => cid)).toEqual([two]);

  await linked.output('app', 'agents.freeze', {});
  expect(linked.all('hide').map((hide) => hide.displayId)).toContain(third.displayId);
  await waiting(linked, 0);
});
