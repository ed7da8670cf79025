import { describe, expect, test } from 'vitest';
import { createAgentsStore } from '#renderer/stores/agents/agents-store.ts';
import { AppError } from '#shared/errors/index.ts';
import { exampleAgents } from '../../support/agents.ts';
import { fakeBridge, settled } from '../../support/fake-bridge.ts';

function page() {
  const core = { frozenSinceMs: null as number | null, refusal: null as AppError | null };
  const copied: string[] = [];
  const refuse = (): void => {
    if (core.refusal) throw core.refusal;
  };
  const bridge = fakeBridge({
    'agents.get': () => exampleAgents({ frozenSinceMs: core.frozenSinceMs }),
    'agents.freeze': () => {
      refuse();
      core.frozenSinceMs = 7;
      return {};
    },
    'agents.thaw': () => {
      refuse();
      core.frozenSinceMs = null;
      return {};
    },
    'agents.revoke': () => {
      refuse();
      return {};
    },
    'agents.openEndpoint': () => {
      refuse();
      return {};
    },
  });
  const store = createAgentsStore({ bridge, copyText: async (text) => void copied.push(text) });
  store.getState().start();
  bridge.connect({ kind: 'connected' });
  const asked = (name: string): unknown[] =>
    bridge.asked.filter((one) => one.name === name).map(({ input }) => input);
  return { core, bridge, store, copied, asked, state: () => store.getState() };
}

test('agents are read again when the core says that they changed', async () => {
  const { core, bridge, state } = page();
  await settled();
  expect(state().view?.agents).toHaveLength(1);
  core.frozenSinceMs = 3;
  bridge.emit({ kind: 'agents.changed' });
  await settled();
  expect(state().view?.frozenSinceMs).toBe(3);
});

test('agents are read again when a proposal changed, because what they asked for is counted from proposals', async () => {
  const { bridge, asked } = page();
  await settled();
  const before = asked('agents.get').length;
  bridge.emit({ kind: 'proposals.changed', id: 'p1' });
  await settled();
  expect(asked('agents.get')).toHaveLength(before + 1);
});

test('a failed read keeps the earlier data and shows the reason', async () => {
  const { bridge, state } = page();
  await settled();
  const failing = createAgentsStore({
    bridge: { ...bridge, call: () => Promise.reject(new AppError('core_unreachable')) },
    copyText: async () => {},
  });
  failing.setState({ view: state().view });
  failing.getState().reload();
  await settled();
  expect(failing.getState().failure?.code).toBe('core_unreachable');
  expect(failing.getState().view).not.toBeNull();
});

describe('freezing', () => {
  test('needs no confirmation, and is shown at once', async () => {
    const { state, asked } = page();
    await settled();
    await state().freeze();
    await settled();
    expect(asked('agents.freeze')).toHaveLength(1);
    expect(state().asking).toBeNull();
    expect(state().view?.frozenSinceMs).toBe(7);
  });

  test('does not wait for another running action', async () => {
    const { state, asked, store } = page();
    store.setState({ doing: { kind: 'revoke', id: 'agent-1' } });
    await state().freeze();
    expect(asked('agents.freeze')).toHaveLength(1);
  });

  test('that is refused shows the reason', async () => {
    const { core, state } = page();
    core.refusal = new AppError('storage_failed');
    await state().freeze();
    expect(state().refusal).toMatchObject({ of: { kind: 'freeze' }, failure: { code: 'storage_failed' } });
    state().dismiss();
    expect(state().refusal).toBeNull();
  });
});

describe('unfreezing agents and revoking an agent', () => {
  test('need a single confirmation', async () => {
    const { state, asked } = page();
    state().ask({ kind: 'thaw' });
    expect(asked('agents.thaw')).toEqual([]);
    state().ask(null);
    await state().confirm();
    expect(asked('agents.thaw')).toEqual([]);
    state().ask({ kind: 'thaw' });
    await state().confirm();
    expect(asked('agents.thaw')).toHaveLength(1);
    expect(state().asking).toBeNull();
    state().ask({ kind: 'revoke', id: 'agent-1' });
    await state().confirm();
    expect(asked('agents.revoke')).toEqual([{ id: 'agent-1' }]);
  });

  test('change nothing if they are refused', async () => {
    const { core, state } = page();
    core.refusal = new AppError('storage_failed');
    state().ask({ kind: 'revoke', id: 'agent-1' });
    await state().confirm();
    expect(state()).toMatchObject({
      doing: null,
      refusal: { of: { kind: 'revoke', id: 'agent-1' }, failure: { code: 'storage_failed' } },
    });
  });
});

test('the endpoint opens on the same port or on another port, as chosen', async () => {
  const { state, asked } = page();
  await state().openEndpoint(false);
  await state().openEndpoint(true);
  expect(asked('agents.openEndpoint')).toEqual([{ onAnotherPort: false }, { onAnotherPort: true }]);
});

test('the store remembers the last copied text', async () => {
  const { state, copied } = page();
  await state().copy('http://127.0.0.1:1/mcp');
  expect(copied).toEqual(['http://127.0.0.1:1/mcp']);
  expect(state().copied).toBe('http://127.0.0.1:1/mcp');
});
