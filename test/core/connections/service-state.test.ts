import { expect, test } from 'vitest';
import { createServiceState } from '#core/connections/index.ts';
import { createManualClock } from '#test/servers/manual-clock.ts';

test('a clock that was set back does not let an old answer of the service pass for a new one', async () => {
  const clock = createManualClock();
  const state = createServiceState({ clock, onChange() {}, onReturn() {} });
  state.observe({ ready: true, latencyMs: 3 });
  clock.setForward(-60 * 60 * 1000);
  clock.advance(10_001);
  const list = async (): Promise<never> => {
    state.observe({ ready: false, latencyMs: 3 });
    throw new Error('No answer');
  };
  expect(await state.look({ list })).toMatchObject({ state: 'unreachable' });
});
