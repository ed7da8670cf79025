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

test('a read that fails keeps what was read, and says why', async () => {
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
  test('asks nothing, and shows at once', async () => {
    const { state, asked } = page();
    await settled();
    await state().freeze();
    await settled();
    expect(asked('agents.freeze')).toHaveLength(1);
    expect(state().asking).toBeNull();
    expect(state().view?.frozenSinceMs).toBe(7);
  });

  test('waits for nothing else that is under way', async () => {
    const { state, asked, store } = page();
    store.setState({ doing: { kind: 'revoke', id: 'agent-1' } });
    await state().freeze();
    expect(asked('agents.freeze')).toHaveLength(1);
  });

  test('that is refused says why', async () => {
    const { core, state } = page();
    core.refusal = new AppError('storage_failed');
    await state().freeze();
    expect(state().refusal).toMatchObject({ of: { kind: 'freeze' }, failure: { code: 'storage_failed' } });
    state().dismiss();
    expect(state().refusal).toBeNull();
  });
});

describe('letting agents work again, and revoking one', () => {
  test('happens after one question only', async () => {
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

  test('that is refused leaves everything as it was', async () => {
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

test('the port is tried again, or another one is taken, as asked', async () => {
  const { state, asked } = page();
  await state().openEndpoint(false);
  await state().openEndpoint(true);
  expect(asked('agents.openEndpoint')).toEqual([{ onAnotherPort: false }, { onAnotherPort: true }]);
});

test('what was copied last is known', async () => {
  const { state, copied } = page();
  await state().copy('http://127.0.0.1:1/mcp');
  expect(copied).toEqual(['http://127.0.0.1:1/mcp']);
  expect(state().copied).toBe('http://127.0.0.1:1/mcp');
});
