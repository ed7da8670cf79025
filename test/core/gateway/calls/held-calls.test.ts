import { expect, test } from 'vitest';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { newest, openWithAgent, textOf, waiting } from '../admission/admitted-agent.ts';

type Open = Awaited<ReturnType<typeof openWithAgent>>;

/** Proposes a change of an agent, whose call waits. */
async function held(): Promise<Open & { call: Promise<CallToolResult>; id: string; before: unknown }> {
  const opened = await openWithAgent();
  const { agent, world, cid } = opened;
  const before = (await world.other.get(cid)).edit.campaign;
  const call = agent.call('svc_commit', await agent.prepare(cid, 'key-1'));
  call.catch(() => {});
  const { id } = await waiting(world);
  return { ...opened, call, id, before };
}

const agentId = async ({ world }: Open): Promise<string> => {
  const { agents } = await world.core.handlers['agents.get']({});
  return agents[0]?.id ?? '';
};

const ends: Record<string, { end(opened: Open): Promise<unknown>; says: string }> = {
  'its agent is revoked': {
    end: async (opened) => opened.world.core.handlers['agents.revoke']({ id: await agentId(opened) }),
    says: 'Nothing was sent: this agent’s access has ended.',
  },
  'its program signs out': {
    end: ({ endpointWorld, token, clientId }) => endpointWorld.client.revoke({ client_id: clientId, token }),
    says: 'Nothing was sent: this agent’s access has ended.',
  },
  'agents are frozen': {
    end: ({ world }) => world.core.handlers['agents.freeze']({}),
    says: 'Nothing was sent: a person has frozen all agents.',
  },
  'the person stops everything': {
    end: ({ world }) => world.core.handlers['emergencyStop.start']({}),
    says: 'Nothing was sent: a person has frozen all agents.',
  },
  'its session is ended by its program': {
    end: ({ agent }) => agent.transport.terminateSession(),
    says: 'Nothing was sent: this call or its session ended before a person decided.',
  },
  'the endpoint moves to another port': {
    end: ({ world }) => world.core.handlers['agents.openEndpoint']({ onAnotherPort: true }),
    says: 'Nothing was sent: ',
  },
  'Countersign quits': {
    end: ({ world }) => world.core.dispose(),
    says: 'Nothing was sent: this call or its session ended before a person decided.',
  },
};

test.each(Object.entries(ends))('a held call is answered when %s', async (_what, { end, says }) => {
  const opened = await held();
  const ending = end(opened);
  const answer = await opened.call;
  expect([answer.isError, textOf(answer).startsWith(says)], textOf(answer)).toEqual([true, true]);
  await ending;
});

test('a change that was reported as not sent is withdrawn, and a later approval does not send it', async () => {
  const opened = await held();
  const { world, agent, call, id, cid, before } = opened;
  const display = await world.look(id);
  await agent.transport.terminateSession();
  await call;
  await expect(world.approve(display)).rejects.toMatchObject({ code: expect.any(String) as string });
  expect(await newest(world, 'past')).toMatchObject({ id, state: 'withdrawn' });
  expect((await world.other.get(cid)).edit.campaign).toEqual(before);
});

test('on quitting, an agent that asks about its receipt is asked to try again, and its change survives the restart', async () => {
  const { world, agent, call, id } = await held();
  world.clock.advance(45_000);
  await call;
  const asking = agent.call('countersign_await', { proposalId: id });
  asking.catch(() => {});
  await agent.call('svc_whoami', {});
  const ending = world.restart();
  const answer = await asking;
  expect(textOf(answer)).toContain(`Not executed: waiting for confirmation by a person. Proposal ${id}.`);
  expect(await waiting(await ending)).toMatchObject({ id });
});

test('sixty changes that are held on quitting are all answered', async () => {
  const { world, agent, cid } = await openWithAgent();
  const args = await agent.prepare(cid, 'key');
  const calls = Array.from({ length: 60 }, (_, at) =>
    agent.call('svc_commit', { ...args, idempotencyKey: `key-${at}` }),
  );
  for (const call of calls) call.catch(() => {});
  const count = async (): Promise<number> =>
    (await world.core.handlers['proposals.list']({ which: 'waiting', before: null, limit: 1 })).total;
  await expect.poll(count).toBe(60);
  const ending = world.core.dispose();
  const answers = await Promise.all(calls);
  const texts = new Set(answers.map(textOf));
  // If the withdrawal is not recorded before the session ends, the answer is that the change still waits.
  expect([...texts].filter((text) => !/^(?:Nothing was sent: |Not executed: waiting )/.test(text))).toEqual(
    [],
  );
  await ending;
});
