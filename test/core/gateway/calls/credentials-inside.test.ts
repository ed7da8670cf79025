import { expect, test } from 'vitest';
import { everyRow } from '#shared/app-api/index.ts';
import { changeElsewhere, type World } from '#test/core/proposals/world.ts';
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

/** Everything that the ledger and the proposals say. */
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
    'in a member of a commit beside its payload',
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
])(
  'a credential %s (%s) is refused before anything is stored, and never repeated',
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

test('a campaign whose click URL has a credential already may be changed in another field', async () => {
  const { world, agent, cid } = await openWithAgent();
  await changeElsewhere(world, cid, { clickurl: `https://example.com/?token=${'a1'.repeat(12)}` });
  const call = agent.call('svc_commit', await agent.prepare(cid, 'k'));
  const { id } = await waiting(world);
  await world.approve(await world.look(id));
  expect((await call).isError ?? false).toBe(false);
});

test('a token that the service answers with after the write is removed from the rows of the ledger', async () => {
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
