import { expect, test } from 'vitest';
import { everyRow } from '#shared/app-api/index.ts';
import { createNetEffect } from '#core/proposals/index.ts';
import {
  callOf,
  campaignNow,
  codex,
  createAgentWorld,
  prepare,
  prepareBid,
} from '../tool-call/agent-world.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

test('changes by tools are listed, filtered by agent and reversed like any other change', async () => {
  const world = await createAgentWorld();
  const { gate, store, ledger, connection } = world;
  const { request, cid } = await prepareBid(world);
  const before = await campaignNow(world, cid);
  const { id } = await gate.agents.propose(request);
  expect(await world.approve(id)).toMatchObject({ state: 'verified' });
  const pause = await prepare(world, 'svc_prepare_campaign_status', { ids: [cid], status: 'paused' });
  const paused = await gate.agents.propose(
    callOf('svc_commit', pause.args, { prepared: pause.prepared, agent: codex }),
  );
  expect(await world.approve(paused.id)).toMatchObject({ state: 'verified' });

  const netEffect = createNetEffect({
    store,
    ledger,
    connections: { current: () => connection },
    gate,
    formats: () => defaultFormats,
  });
  const all = { agentId: null, sinceMs: 0 };
  const reported = (await netEffect.of(all)).items.map(({ change, agents }) => [
    change.label,
    change.after,
    agents,
  ]);
  expect(reported).toHaveLength(2);
  expect(reported).toContainEqual(['Status', 'Paused', ['Codex']]);
  expect(reported).toContainEqual(['Bid', expect.any(String), ['Claude Code']]);
  expect((await netEffect.of({ ...all, agentId: codex.id })).items).toHaveLength(1);

  // A month of writes takes seconds, during which agents, pages and the confirmation must not be blocked.
  const written = (): string[] => Array.from({ length: 100 }, () => id);
  const many = { transaction: store.transaction, proposals: { ...store.proposals, written } };
  let turns = 0;
  let isCounting = true;
  const turn = (): void => {
    turns += 1;
    if (isCounting) setImmediate(turn);
  };
  turn();
  await createNetEffect({
    store: many,
    ledger,
    connections: { current: () => connection },
    gate,
    formats: () => defaultFormats,
  }).of(all);
  isCounting = false;
  expect(turns).toBeGreaterThanOrEqual(10);

  const rowsOf = (agentId: string) =>
    ledger.list({ beforeSeq: null, limit: 50, filter: { ...everyRow, agentId } }).items;
  expect(new Set(rowsOf(codex.id).map(({ proposalId }) => proposalId))).toEqual(new Set([paused.id]));
  expect(rowsOf(request.agent.id).length).toBeGreaterThan(3);

  const { id: reversal } = await netEffect.reverse(all);
  expect(await world.approve(reversal)).toMatchObject({ state: 'done' });
  expect(await campaignNow(world, cid)).toEqual(before);
});
