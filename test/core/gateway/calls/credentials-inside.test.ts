import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createLedgerReader } from '#core/store/app/ledger-rows.ts';
import { unpackText } from '#core/store/app/packed-text.ts';
import { fromRow, type ProposalRow } from '#core/store/app/proposals/proposal-row.ts';
import { everyRow } from '#shared/app-api/index.ts';
import { startBulk } from '#test/core/drafts/bulk/bulk-world.ts';
import { draft } from '#test/core/drafts/drafts-of.ts';
import { campaignNow, changeElsewhere, proposeBid, type World } from '#test/core/proposals/world.ts';
import { readFile } from '#test/servers/stored-rows.ts';
import {
  type AdmittedAgent,
  openWithAgent,
  proposals,
  textOf,
  waiting,
} from '../admission/admitted-agent.ts';

const webToken = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';
const publisherKey = `pk_${'a'.repeat(40)}`;

interface Case {
  world: World;
  agent: AdmittedAgent;
  cid: number;
  token: string;
}

/** All text of the ledger, the proposals and the refused attempts. */
async function said({ core }: World): Promise<string> {
  const { handlers } = core;
  const rows = await handlers['ledger.list']({ beforeSeq: null, limit: 200, filter: everyRow });
  const lists = await Promise.all(
    (['waiting', 'past'] as const).map((which) =>
      handlers['proposals.list']({ which, before: null, limit: 50 }),
    ),
  );
  const refused = await handlers['agents.refused']({});
  return JSON.stringify([rows, lists, refused]);
}

const prepare = ({ agent, cid }: Case, changes: Record<string, unknown>) =>
  agent.call('svc_prepare_campaign_update', { cid, changes });

test.each<
  [where: string, credential: string | null, act: (given: Case, credential: string) => Promise<unknown>]
>([
  ['in the arguments of a prepare', null, (given, name) => prepare(given, { name })],
  ['in the arguments of a prepare', webToken, (given, name) => prepare(given, { name })],
  ['in the arguments of a prepare', publisherKey, (given, name) => prepare(given, { name })],
  ['in the arguments of a read', null, ({ agent }, query) => agent.call('svc_list_campaigns', { query })],
  [
    'in an argument of a commit next to its payload',
    webToken,
    async ({ agent, cid }, idempotencyKey) =>
      agent.call('svc_commit', { ...(await agent.prepare(cid, 'k')), idempotencyKey }),
  ],
  [
    'in the payload of a commit',
    null,
    async ({ agent, cid }, name) => {
      const args = await agent.prepare(cid, 'k');
      return agent.call('svc_commit', { ...args, payload: { ...(args['payload'] as object), name } });
    },
  ],
  [
    'in the name that the service gives the campaign',
    null,
    async ({ agent, cid, world }, name) => {
      await changeElsewhere(world, cid, { name });
      return agent.call('svc_commit', await agent.prepare(cid, 'k'));
    },
  ],
  [
    'in the click URL of a campaign, in a commit without its payload',
    null,
    async ({ agent, cid, world }, name) => {
      await changeElsewhere(world, cid, { clickurl: `https://example.com/?t=${name}` });
      const { payload: _payload, ...args } = await agent.prepare(cid, 'k');
      return agent.call('svc_commit', args);
    },
  ],
])(
  'a credential %s (%s) is refused before anything is stored, and its value is never repeated',
  async (_where, one, act) => {
    const opened = await openWithAgent();
    const credential = one ?? opened.token;
    const result = (await act(opened, credential)) as Awaited<ReturnType<AdmittedAgent['call']>>;
    expect([result.isError, textOf(result)]).toEqual([true, expect.stringContaining('credential')]);
    expect(textOf(result)).not.toContain(credential);
    const { world } = opened;
    expect([await proposals(world, 'waiting'), await proposals(world, 'past')]).toEqual([[], []]);
    expect(await said(world)).not.toContain(credential);
  },
);

test('another field of a campaign can be changed if the click URL already contains a credential', async () => {
  const { world, agent, cid } = await openWithAgent();
  await changeElsewhere(world, cid, { clickurl: `https://example.com/?token=${'a1'.repeat(12)}` });
  const call = agent.call('svc_commit', await agent.prepare(cid, 'k'));
  const { id } = await waiting(world);
  await world.approve(await world.look(id));
  expect((await call).isError ?? false).toBe(false);
});

test('a token in the service’s answer to a write is removed from the ledger rows', async () => {
  const { world, agent, cid, token } = await openWithAgent();
  const args = await agent.prepare(cid, 'k');
  const arm = (): unknown =>
    world.service.faults.arm({
      kind: 'meanwhile',
      method: 'POST',
      path: '/mcp',
      async run() {
        const { edit } = await world.other.get(cid);
        if (edit.campaign['name'] === 'Other') await changeElsewhere(world, cid, { name: token });
        else arm();
      },
    });
  arm();
  const call = agent.call('svc_commit', args);
  const { id } = await waiting(world);
  await world.approve(await world.look(id));
  await call;
  const { items } = await world.core.handlers['ledger.list']({
    beforeSeq: null,
    limit: 200,
    filter: { ...everyRow, proposalId: id },
  });
  const text = JSON.stringify(items);
  expect(text).toContain('write.differs');
  expect(text).toContain('[token removed]');
  expect(text).not.toContain(token);
  expect(await world.core.handlers['ledger.verify']({})).toMatchObject({ state: 'verified' });
});

test('an exported file of campaigns does not contain an agent’s token that the service returns as a name', async () => {
  const { world, cid, token } = await openWithAgent();
  await changeElsewhere(world, cid, { name: `Before ${token} after` });
  await startBulk(world, [cid]);
  const { text } = await world.core.handlers['bulk.exportPart']({ fields: ['name', 'payout'], offset: 0 });
  expect(text).toContain('Before [token removed] after');
  expect(text).not.toContain(token);
});

/** The tables of the app's database that contain a text, also in compressed columns. */
function tablesWith({ folder }: World, wanted: string): string[] {
  const isIn = (value: unknown): boolean => {
    if (!Buffer.isBuffer(value)) return String(value).includes(wanted);
    try {
      return unpackText(value).includes(wanted);
    } catch {
      return false;
    }
  };
  return readFile(join(folder, 'countersign.sqlite'), (db) => {
    const unpacked: Record<string, () => unknown[]> = {
      ledger: () => createLedgerReader(db).after(0, 10_000),
      proposal: () => db.prepare<[], ProposalRow>('SELECT * FROM proposal').all().map(fromRow),
    };
    const tables = db
      .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .pluck()
      .all();
    return tables.filter(
      (table) =>
        JSON.stringify(unpacked[table]?.() ?? []).includes(wanted) ||
        db
          .prepare<[], Record<string, unknown>>(`SELECT * FROM ${table}`)
          .all()
          .some((row) => Object.values(row).some(isIn)),
    );
  });
}

/** Renames the campaign after the next write to it, before the write is read back. */
async function nameAfterWrite(
  { world, cid, token }: Case,
  { method, path }: { method: string; path: string },
) {
  const before = await campaignNow(world, cid);
  const arm = (): unknown =>
    world.service.faults.arm({
      kind: 'meanwhile',
      method,
      path,
      async run() {
        const now = await campaignNow(world, cid);
        if (now['name'] === before['name'] && now['payout'] === before['payout']) arm();
        else await changeElsewhere(world, cid, { name: token });
      },
    });
  arm();
}

test.each<[place: string, act: (given: Case) => Promise<unknown>]>([
  [
    'the verdict and the stored answer of an agent’s call',
    async (given) => {
      const { world, agent, cid } = given;
      const args = await agent.prepare(cid, 'k');
      await nameAfterWrite(given, { method: 'POST', path: '/mcp' });
      const call = agent.call('svc_commit', args);
      const { id } = await waiting(world);
      await world.approve(await world.look(id));
      const first = JSON.stringify(await call);
      expect(first).toContain('[token removed]');
      expect(JSON.stringify(await agent.call('svc_commit', args))).not.toContain(given.token);
    },
  ],
  [
    'what the service prepares for an agent',
    async ({ world, agent, cid, token }) => {
      await changeElsewhere(world, cid, { name: token });
      expect(await agent.prepare(cid, 'k')).toHaveProperty('approvalId');
      expect(tablesWith(world, token)).toEqual([]);
    },
  ],
  [
    'the cached list and the cached campaign',
    async ({ world, cid, token }) => {
      await changeElsewhere(world, cid, { name: token });
      await world.core.handlers['campaigns.page']({
        filter: { query: '', status: null, types: [], sort: 'cid', order: 'asc' },
        page: 1,
        perPage: 200,
      });
      await world.core.handlers['campaigns.get']({ cid });
      world.clock.advance(60_000);
    },
  ],
  [
    'a person’s draft',
    async ({ world, cid, token }) => {
      await expect(draft(world, cid, { name: token })).rejects.toMatchObject({ code: 'dlp_denied' });
    },
  ],
  [
    'a person’s change of a campaign whose name contains the token',
    async ({ world, cid, token }) => {
      await changeElsewhere(world, cid, { name: token });
      await expect(proposeBid(world, 1.1, cid)).rejects.toMatchObject({
        code: 'dlp_denied',
        fields: [{ message: expect.stringContaining('End the access of that agent') }],
      });
    },
  ],
  [
    'the pause of such a campaign, which is never refused',
    async ({ world, cid, token }) => {
      await changeElsewhere(world, cid, { name: token });
      const { id } = await world.core.handlers['campaigns.proposeStatus']({ cids: [cid], status: 2 });
      expect((await world.approve(await world.look(id))).proposal.state).toBe('verified');
      expect((await campaignNow(world, cid))['status']).toBe(2);
    },
  ],
])('a valid token of an agent is stored in no table: %s', async (_place, act) => {
  const opened = await openWithAgent();
  await act(opened);
  const { world, token } = opened;
  await world.core.dispose();
  expect(tablesWith(world, token)).toEqual([]);
});
