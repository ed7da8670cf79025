import { describe, expect, test } from 'vitest';
import { demoAccounts } from '#core/backend/demo-data/credentials.ts';
import type { AppStore } from '#core/store/app/index.ts';
import { everyRow } from '#shared/app-api/index.ts';
import type { CampaignRow } from '#shared/contract/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { withService, withStore } from '#test/servers/stores.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import { png } from '#test/core/backend/uploads/pictures.ts';
import { start } from '#test/core/agents/emergency-stop-scene.ts';
import { draft, propose } from '#test/core/drafts/drafts-of.ts';
import { callOf, campaignNow as readAt, createAgentWorld, prepare } from '../../tool-call/agent-world.ts';
import { campaignNow, changeElsewhere, createWorld, proposeBid, type World } from '../../world.ts';

interface Copy {
  cid: number;
  atMs: number;
  campaign: JsonObject;
}

function copiesIn(folder: string): Copy[] {
  const { uid } = demoAccounts('northwind').buyer;
  const query = { match: { kind: 'all' }, status: null, types: [], sort: 'cid', order: 'asc' } as const;
  const cids = withService(folder, ({ read }) =>
    read
      .list({ uid, ...query, offset: 0, limit: 200 })
      .rows.map((row) => (JSON.parse(row) as CampaignRow).cid),
  );
  const copiesOf = (store: AppStore, cid: number): Copy[] =>
    store.campaignCopies
      .of({ profileId: 'demo', account: String(uid) }, cid)
      .map(({ atMs, campaign }) => ({ cid, atMs, campaign }))
      .toReversed();
  return withStore(folder, (store) => cids.flatMap((cid) => copiesOf(store, cid)));
}

/** Returns the campaigns that the ledger's latest intent lists as having no copy. */
function uncopiedIn(folder: string): unknown {
  const { rows } = withStore(folder, ({ ledger }) =>
    ledger.page({ filter: everyRow, beforeSeq: null, limit: 200 }),
  );
  const intent = rows.find(({ kind }) => kind === 'write.intent');
  return (JSON.parse(intent?.body ?? '{}') as JsonObject)['uncopied'];
}

async function running(world: World, count: number): Promise<number[]> {
  const { data } = await world.other.list({ page: 1, perPage: 200, sort: 'cid', order: 'asc' });
  return data
    .filter(({ status }) => status === 1)
    .slice(0, count)
    .map(({ cid }) => cid);
}

async function withStatus(world: World, wanted: number): Promise<number> {
  const { data } = await world.other.list({ page: 1, perPage: 200, sort: 'cid', order: 'asc' });
  return data.find(({ status }) => status === wanted)?.cid ?? 0;
}

const approve = async (world: World, id: string) => (await world.approve(await world.look(id))).proposal;

const proposeStatus = async (
  world: World,
  cids: number[],
  status: 1 | 2 | 3 | 4,
  targeted?: 'running',
): Promise<string> =>
  (await world.core.handlers['campaigns.proposeStatus']({ cids, status, ...(targeted && { targeted }) })).id;

type Writes = (world: World) => Promise<{ id: string; cids: number[] }>;

const writes: [what: string, prepareWrite: Writes][] = [
  [
    'a person’s update',
    async (world) => {
      const { proposal, cid } = await proposeBid(world);
      return { id: proposal.id, cids: [cid] };
    },
  ],
  [
    'drafts of fields and of a status',
    async (world) => {
      const cids = await running(world, 1);
      await draft(world, cids[0] ?? 0, { name: 'Drafted', status: 3 });
      return { id: (await propose(world, cids)).proposed[0]?.proposalId ?? '', cids };
    },
  ],
  [
    'drafts of the status of several campaigns',
    async (world) => {
      const cids = await running(world, 3);
      for (const cid of cids) await draft(world, cid, { status: 3 });
      return { id: (await propose(world, cids)).proposed[0]?.proposalId ?? '', cids };
    },
  ],
  [
    'a pause of one campaign',
    async (world) => {
      const cids = await running(world, 1);
      return { id: await proposeStatus(world, cids, 3), cids };
    },
  ],
  [
    'a suspension of several campaigns',
    async (world) => {
      const cids = await running(world, 4);
      return { id: await proposeStatus(world, cids, 2), cids };
    },
  ],
  [
    'an activation of a campaign',
    async (world) => {
      const cids = [await withStatus(world, 3)];
      return { id: await proposeStatus(world, cids, 1), cids };
    },
  ],
  [
    'a pause of the running campaigns of a selection',
    async (world) => {
      const cids = await running(world, 3);
      const all = [...cids, await withStatus(world, 2)];
      return { id: await proposeStatus(world, all, 3, 'running'), cids };
    },
  ],
  [
    'an emergency pause',
    async (world) => {
      const { data } = await world.other.list({ page: 1, perPage: 200, sort: 'cid', order: 'asc' });
      const cids = data.filter(({ status }) => status === 1 || status === 4).map(({ cid }) => cid);
      return { id: (await start(world)).id, cids };
    },
  ],
  [
    'a batch of equal changes',
    async (world) => {
      const cids = await running(world, 3);
      const ids: string[] = [];
      for (const cid of cids) ids.push(await proposeStatus(world, [cid], 3));
      await world.core.handlers['proposals.reviewTogether']({ ids });
      return { id: world.shown.at(-1)?.proposal.id ?? '', cids };
    },
  ],
  [
    'a change that was proposed again because the campaign changed',
    async (world) => {
      const { proposal, cid } = await proposeBid(world);
      const display = await world.look(proposal.id);
      await changeElsewhere(world, cid, { name: 'Moved' });
      const { again } = await world.approve(display);
      return { id: again?.proposal.id ?? '', cids: [cid] };
    },
  ],
];

describe('the first write of a day saves a copy of every campaign that it changes', () => {
  test.each(writes)('by %s', async (_, prepareWrite) => {
    const world = await createWorld({ campaigns: 40 });
    const { id, cids } = await prepareWrite(world);
    const before = await Promise.all(cids.map((cid) => campaignNow(world, cid)));
    expect(copiesIn(world.folder)).toEqual([]);
    expect(['verified', 'done']).toContain((await approve(world, id)).state);
    expect(copiesIn(world.folder).map(({ campaign }) => campaign)).toEqual(before);
  });

  test('by an undo on a later day', async () => {
    const world = await createWorld();
    const { proposal, cid } = await proposeBid(world);
    await approve(world, proposal.id);
    world.clock.advance(24 * 60 * 60_000);
    const changed = await campaignNow(world, cid);
    const { id } = await world.core.handlers['proposals.undo']({ id: proposal.id });
    await approve(world, id);
    expect(copiesIn(world.folder)[1]?.campaign).toEqual(changed);
  });
});

describe('an agent’s tool call saves a copy of every campaign that it names', () => {
  test.each([
    ['a prepared update', 'svc_prepare_campaign_update', 1],
    ['a prepared change of status', 'svc_prepare_campaign_status', 2],
  ])('for %s', async (_, tool, count) => {
    const folder = tempFolder();
    const world = await createAgentWorld({ folder });
    const { data } = await world.connection.member.list({ page: 1, perPage: 50, sort: 'cid', order: 'asc' });
    const cids = data.flatMap(({ cid, status }) => (status === 1 ? [cid] : [])).slice(0, count);
    const asked =
      count === 1 ? { cid: cids[0] ?? 0, changes: { name: 'By an agent' } } : { ids: cids, status: 'paused' };
    const { args, prepared } = await prepare(world, tool, asked);
    const { id } = await world.gate.agents.propose(callOf('svc_commit', args, { prepared }));
    const before = await Promise.all(cids.map((cid) => readAt(world, cid)));
    await world.approve(id);
    expect(copiesIn(folder).map(({ campaign }) => campaign)).toEqual(before);
  });

  test('even if only its arguments are known, and the intent names every campaign number that does not exist', async () => {
    const folder = tempFolder();
    const world = await createAgentWorld({ folder });
    const { data } = await world.connection.member.list({ page: 1, perPage: 3, sort: 'cid', order: 'asc' });
    const cids = data.map(({ cid }) => cid);
    const before = await Promise.all(cids.map((cid) => readAt(world, cid)));
    const call = callOf('svc_unheard_of', { campaigns: [...cids, 999_999_999] });
    const { id } = await world.gate.agents.propose(call);
    await world.approve(id);
    expect(copiesIn(folder).map(({ campaign }) => campaign)).toEqual(before);
    expect(uncopiedIn(folder)).toEqual([999_999_999]);
  });

  test('but none for the upload of a picture', async () => {
    const world = await createWorld({ campaigns: 60 });
    const data = png(96, 96).toString('base64');
    const picture = {
      kind: 'icon',
      fileName: 'icon.png',
      contentType: 'image/png',
      data,
      cid: null,
    } as const;
    const { id } = await world.core.handlers['uploads.propose'](picture);
    expect((await approve(world, id)).state).toBe('done');
    expect(copiesIn(world.folder)).toEqual([]);
  });
});

describe('a failed copy never stops a write', () => {
  const minute = 60_000;
  const singleReads = (world: World): number =>
    world.service.requestLog().filter(({ method, path }) => method === 'GET' && /\d$/.test(path)).length;
  const unreadable = (world: World, cid: number): (() => void) =>
    world.service.faults.arm({ kind: 'answer', status: 403, method: 'GET', path: `/campaigns/${cid}` });

  test('a new pause copies the campaigns as they were read for its proposal', async () => {
    const world = await createWorld({ campaigns: 40 });
    const cids = await running(world, 4);
    const id = await proposeStatus(world, cids, 3);
    const preparedAtMs = world.clock.nowMs();
    await changeElsewhere(world, cids[0] ?? 0, { name: 'Renamed meanwhile' });
    const display = await world.look(id);
    const reads = singleReads(world);
    await world.approve(display);
    expect(singleReads(world)).toBe(reads);
    const [first, ...others] = copiesIn(world.folder);
    expect(first?.campaign['name']).not.toBe('Renamed meanwhile');
    for (const { atMs } of [first, ...others].flatMap((copy) => copy ?? [])) expect(atMs).toBe(preparedAtMs);
  });

  test('a write that waited for long reads each campaign once more, except those that were already copied today', async () => {
    const world = await createWorld({ campaigns: 40 });
    const { proposal, cid: copied } = await proposeBid(world);
    await approve(world, proposal.id);
    const [cid = 0, other = 0] = (await running(world, 3)).filter((one) => one !== copied);
    const id = await proposeStatus(world, [copied, cid, other], 3);
    world.clock.advance(11 * minute);
    await changeElsewhere(world, cid, { name: 'Renamed meanwhile' });
    const display = await world.look(id);
    const reads = singleReads(world);
    expect((await world.approve(display)).proposal.state).toBe('verified');
    expect(singleReads(world)).toBe(reads + 2);
    const copies = copiesIn(world.folder);
    expect(copies.find((copy) => copy.cid === cid)?.campaign).toMatchObject({ name: 'Renamed meanwhile' });
    expect(copies).toHaveLength(3);
  });

  test('a campaign that cannot be read is copied from its earlier read, with the time of that read', async () => {
    const world = await createWorld({ campaigns: 40 });
    const cids = await running(world, 2);
    const before = await campaignNow(world, cids[1] ?? 0);
    const id = await proposeStatus(world, cids, 3);
    const preparedAtMs = world.clock.nowMs();
    world.clock.advance(11 * minute);
    const display = await world.look(id);
    unreadable(world, cids[1] ?? 0);
    expect((await world.approve(display)).proposal.state).toBe('verified');
    expect(copiesIn(world.folder)[1]).toEqual({ cid: cids[1], atMs: preparedAtMs, campaign: before });
    expect(uncopiedIn(world.folder)).toBeUndefined();
  });

  test('no further reads are started when the service stops answering', async () => {
    const world = await createWorld({ campaigns: 60 });
    const cids = await running(world, 12);
    const id = await proposeStatus(world, cids, 3);
    world.clock.advance(11 * minute);
    const display = await world.look(id);
    const reads = singleReads(world);
    for (const cid of cids) {
      world.service.faults.arm({ kind: 'answer', status: 500, method: 'GET', path: `/campaigns/${cid}` });
    }
    expect((await world.approve(display)).proposal.state).toBe('verified');
    expect(singleReads(world)).toBeLessThanOrEqual(reads + 4);
    expect(copiesIn(world.folder)).toHaveLength(12);
  });

  test('an emergency pause reads nothing first: campaigns without a copy are paused and named in the intent', async () => {
    const world = await createWorld({ campaigns: 12 });
    const cids = await running(world, 12);
    for (const cid of cids) unreadable(world, cid);
    const { id } = await start(world);
    const display = await world.look(id);
    const reads = singleReads(world);
    expect((await world.approve(display)).proposal.state).toBe('verified');
    expect(singleReads(world)).toBe(reads);
    expect(await running(world, 12)).toEqual([]);
    const named = uncopiedIn(world.folder);
    expect(named).toEqual(expect.arrayContaining([cids[0]]));
    const kept = copiesIn(world.folder).map(({ cid }) => cid);
    expect([...kept, ...(named as number[])].toSorted((one, other) => one - other)).toEqual(
      expect.arrayContaining(cids),
    );
  });

  test('an emergency pause that was prepared on another day does not copy the campaigns of that day', async () => {
    const world = await createWorld({ campaigns: 12 });
    const { id } = await start(world);
    world.clock.advance(24 * 60 * minute);
    expect((await approve(world, id)).state).toBe('verified');
    expect(copiesIn(world.folder)).toEqual([]);
    expect(uncopiedIn(world.folder)).not.toEqual([]);
  });
});
