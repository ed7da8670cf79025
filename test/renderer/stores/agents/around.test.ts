import { describe, expect, test } from 'vitest';
import { createAdmissionsStore } from '#renderer/stores/agents/agents-store.ts';
import { createEmergencyStopStore } from '#renderer/stores/agents/emergency-stop-store.ts';
import {
  createSampleAgentStore,
  isAtWork,
  createToolsStore,
} from '#renderer/features/agents/stores/page-stores.ts';
import type { AppOutput, ProposalSummary, SampleAgentView } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { exampleProposal } from '#test/fixtures/proposal.ts';
import { exampleTool } from '../../support/agents.ts';
import { fakeBridge, settled } from '../../support/fake-bridge.ts';

function summary(change: Partial<ProposalSummary>): ProposalSummary {
  const { risk, ...proposal } = exampleProposal();
  return {
    ...proposal,
    targetCount: 1,
    perDay: risk.perDay,
    worstWarning: null,
    groupKey: null,
    groupTitle: null,
    askedBy: null,
    ...change,
  };
}

test('only pending admissions are listed', async () => {
  const items = [
    summary({ id: 'p1', operation: 'agent.admit', state: 'proposed' }),
    summary({ id: 'p2', operation: 'agent.admit', state: 'sent' }),
    summary({ id: 'p3', state: 'shown' }),
  ];
  const bridge = fakeBridge({ 'proposals.list': () => ({ items, total: 3 }) });
  const store = createAdmissionsStore(bridge);
  store.getState().start();
  bridge.emit({ kind: 'proposals.changed', id: 'p1' });
  await settled();
  expect(store.getState().waiting.map(({ id }) => id)).toEqual(['p1']);
});

describe('the list of tools', () => {
  function page() {
    const answers = new Map<string, (view: AppOutput<'agents.tools'>) => void>();
    const bridge = fakeBridge({
      'agents.tools': ({ profileId }) => new Promise((resolve) => answers.set(profileId, resolve)),
      'agents.acceptTool': () => {
        throw new AppError('tool_moved');
      },
      'agents.treatTool': () => ({}),
    });
    const store = createToolsStore(bridge);
    const answer = async (profileId: string, name: string): Promise<void> => {
      answers.get(profileId)?.({ tools: [exampleTool({ name })], readAtMs: 1 });
      await settled();
    };
    return { bridge, store, answer, state: () => store.getState() };
  }

  test('never shows tools of another profile', async () => {
    const { state, answer } = page();
    state().show('demo');
    state().show('live');
    await answer('demo', 'old');
    expect(state().view).toBeNull();
    await answer('live', 'new');
    expect(state().view?.tools.map(({ name }) => name)).toEqual(['new']);
  });

  test('accepts a changed tool as it was reviewed, and reports a tool that changed again meanwhile', async () => {
    const { bridge, state } = page();
    state().show('demo');
    await state().accept(exampleTool({ offered: { hash: 'seen', atMs: 1, parts: [] } }));
    expect(bridge.asked).toContainEqual({
      name: 'agents.acceptTool',
      input: { profileId: 'demo', name: 'svc_whoami', hash: 'seen' },
    });
    expect(state().refusal?.failure.code).toBe('tool_moved');
    await state().treat('svc_whoami', 'write');
    expect(state().refusal).toBeNull();
  });
});

describe('the emergency stop', () => {
  function page(made: AppOutput<'emergencyStop.start'> | AppError) {
    const followed: unknown[] = [];
    let frozen = 0;
    const bridge = fakeBridge({
      'emergencyStop.get': () => ({
        set: { kind: 'running' },
        paused: null,
        resuming: null,
        pending: null,
        profile: 'Northwind',
        elsewhere: [],
      }),
      'emergencyStop.start': () => {
        if (made instanceof AppError) throw made;
        return made;
      },
      'emergencyStop.resume': () => ({ id: 'p9', address: null }),
      'emergencyStop.setCampaigns': () => ({}),
    });
    const store = createEmergencyStopStore({
      bridge,
      follow: (shown) => void followed.push(shown),
      onFrozen: () => void (frozen += 1),
    });
    return { bridge, followed, frozen: () => frozen, state: () => store.getState() };
  }

  test('opens the confirmation of the pause', async () => {
    const { followed, frozen, state } = page({ id: 'p1', address: 'http://127.0.0.1:1/#t', say: null });
    await state().start();
    expect(followed).toEqual([{ id: 'p1', address: 'http://127.0.0.1:1/#t' }]);
    expect(frozen()).toBe(1);
    await state().resume();
    expect(followed).toHaveLength(2);
  });

  test('reports if there is nothing to pause', async () => {
    const { followed, state } = page({ id: null, address: null, say: 'Nothing runs.' });
    await state().start();
    expect(followed).toEqual([]);
    expect(state().message).toBe('Nothing runs.');
    state().dismiss();
    expect(state().message).toBeNull();
  });

  test('freezes the agents even if the pause cannot be prepared', async () => {
    const { frozen, state } = page(new AppError('service_unreachable'));
    await state().start();
    expect(frozen()).toBe(1);
    expect(state().refusal).toMatchObject({ of: 'start', failure: { code: 'service_unreachable' } });
  });

  test('does not wait for another running action, and two presses count once', async () => {
    const { bridge, followed, state } = page({ id: 'p1', address: null, say: null });
    const saving = state().choose({ kind: 'running' });
    await Promise.all([state().start(), state().start(), saving]);
    expect(followed).toHaveLength(1);
    expect(bridge.asked.filter(({ name }) => name === 'emergencyStop.start')).toHaveLength(1);
  });

  test('stores which campaigns it will pause', async () => {
    const { bridge, state } = page({ id: null, address: null, say: null });
    expect(await state().choose({ kind: 'chosen', cids: [7] })).toBe(true);
    expect(bridge.asked).toContainEqual({
      name: 'emergencyStop.setCampaigns',
      input: { kind: 'chosen', cids: [7] },
    });
  });
});

test('the sample agent reports its steps as they come, and a refusal to start is shown', async () => {
  let view: SampleAgentView = { state: 'off', steps: [] };
  const bridge = fakeBridge({
    'proposals.list': () => ({ items: [], total: 0 }),
    'sampleAgent.get': () => view,
    'sampleAgent.start': () => {
      throw new AppError('demo_only');
    },
  });
  const store = createSampleAgentStore(bridge, async () => {});
  store.getState().start();
  await store.getState().begin();
  expect(store.getState().failure?.code).toBe('demo_only');
  view = { state: 'proposing', steps: [{ atMs: 1, text: 'Asked to pause “A”', isGood: null }] };
  bridge.emit({ kind: 'agents.changed' });
  await settled();
  expect(store.getState()).toMatchObject({ view, failure: null });
  expect(isAtWork(view)).toBe(true);
  expect(isAtWork({ ...view, state: 'ended' })).toBe(false);
});

test('the review opens for the sample agent’s own request as soon as that waits, not for an earlier request', async () => {
  const admission = (id: string) => summary({ id, operation: 'agent.admit' });
  let waiting = [admission('earlier')];
  let looked = 0;
  const bridge = fakeBridge({
    'proposals.list': () => {
      looked += 1;
      if (looked === 3)
        waiting = [admission('its own'), summary({ id: 'a write', operation: 'tool.call' }), ...waiting];
      return { items: waiting, total: waiting.length };
    },
    'sampleAgent.start': () => ({ state: 'connecting', steps: [] }),
  });
  const reviewed: string[] = [];
  const store = createSampleAgentStore(bridge, async (id) => void reviewed.push(id));
  await store.getState().begin();
  expect(reviewed).toEqual(['its own']);
});
