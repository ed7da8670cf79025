import { join } from 'node:path';
import { expect, test } from 'vitest';
import { failWrites } from '#test/servers/stored-rows.ts';
import { newest, openWithAgent, proposals, textOf, waiting } from '../admission/admitted-agent.ts';

test('a commit waits for approval, is sent once, and gets the service’s answer with the verdict', async () => {
  const { world, agent, cid } = await openWithAgent();
  await agent.call('countersign_note', { text: 'The old name says nothing.' });
  const args = await agent.prepare(cid, 'key-1');
  const commit = agent.call('svc_commit', args);
  const proposal = await waiting(world);
  expect(proposal).toMatchObject({
    quotation: 'The old name says nothing.',
    detail: { kind: 'tool', name: 'svc_commit', known: 'update', prepared: true },
  });
  expect((await world.other.get(cid)).edit.campaign).not.toHaveProperty('name', 'Other');
  await world.approve(await world.look(proposal.id));
  const result = await commit;
  expect(result.isError, textOf(result)).toBeFalsy();
  expect(result.structuredContent).toMatchObject({ status: 'success', data: { status: 'completed' } });
  expect(textOf(result)).toContain('reading it back found what was approved');
  expect(result._meta).toMatchObject({
    'countersign/verdict': { proposalId: proposal.id, state: 'verified' },
  });
  expect((await world.other.get(cid)).edit.campaign).toHaveProperty('name', 'Other');
  // The repeated key gets the same answer. No person is asked, and nothing is written.
  expect(await agent.call('svc_commit', args)).toEqual(result);
  expect(await proposals(world, 'waiting')).toEqual([]);
});

test('if a receipt cannot be stored, the call fails and its change is not sent later', async () => {
  const { world, agent, cid } = await openWithAgent();
  const commit = agent.call('svc_commit', await agent.prepare(cid, 'key-1'));
  const display = await world.look((await waiting(world)).id);
  const heal = failWrites(join(world.folder, 'countersign.sqlite'));
  world.clock.advance(45_000);
  const result = await commit;
  expect(result).toMatchObject({ isError: true, structuredContent: { error: { code: 'storage_failed' } } });
  heal();
  await expect(world.approve(display)).rejects.toMatchObject({ code: 'proposal_not_waiting' });
  expect(await newest(world, 'past')).toMatchObject({ state: 'withdrawn' });
  expect((await world.other.get(cid)).edit.campaign).not.toHaveProperty('name', 'Other');
});
