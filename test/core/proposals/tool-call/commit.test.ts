import { expect, test } from 'vitest';
import { campaignNow, createAgentWorld, prepareBid } from './agent-world.ts';

test('a prepared bid is shown as the change that it is, and the bytes on the wire are the bytes shown', async () => {
  const world = await createAgentWorld();
  const { request, cid, to } = await prepareBid(world);
  const proposal = await world.gate.agents.propose({ ...request, quotation: 'It pays back.' });
  expect(proposal).toMatchObject({
    operation: 'tool.call',
    state: 'proposed',
    quotation: 'It pays back.',
    proposedBy: { kind: 'agent', name: 'Claude Code', agentId: 'agent-1' },
    detail: { kind: 'tool', name: 'svc_commit', known: 'update', prepared: true },
  });
  expect(proposal.title).toMatch(/^Raise the bid of “/);
  expect(proposal.changes.map(({ field }) => field)).toEqual(['payout']);

  const ended = await world.approve(proposal.id);
  expect(ended).toMatchObject({ state: 'verified' });
  expect(await campaignNow(world, cid)).toMatchObject({ payout: to });
  const [sent, ...more] = world.wire.callsOf('svc_commit');
  expect(more).toEqual([]);
  const shown = ended.payload.slice('{"arguments":'.length, ended.payload.lastIndexOf(',"name":'));
  expect(sent).toContain(`"arguments":${shown}}`);
  expect(world.gate.agents.answerOf(proposal.id)).toMatchObject({
    structuredContent: { status: 'success', data: { status: 'completed' } },
  });
});
