import { expect, test } from 'vitest';
import { createEmergencyStop } from '#electron/shell/emergency-stop.ts';
import { watchFrozen } from '#electron/shell/follow-core.ts';
import type { AppOutput } from '#shared/app-api/index.ts';
import { fakeCore, settled } from './fake-core.ts';
import { manualTimers } from './manual-timers.ts';

const agents = (frozenSinceMs: number | null): AppOutput<'agents.get'> => ({
  endpoint: { url: 'http://127.0.0.1:1/mcp', problem: null },
  frozenSinceMs,
  agents: [],
});

function scene(mayThaw = true) {
  const core = fakeCore();
  const reported: string[] = [];
  const questions: string[] = [];
  const forward: string[] = [];
  const said: string[] = [];
  const stop = createEmergencyStop({
    core,
    bringForward: (proposalId) => void forward.push(proposalId),
    showNotice(words) {
      said.push(words);
      return new Promise(() => {});
    },
    async mayThaw() {
      questions.push('thaw?');
      return mayThaw;
    },
    showFailure: ({ message }) => void reported.push(message),
  });
  core.answers['emergencyStop.start'] = () => ({ id: 'p1', address: null, say: null });
  core.answers['agents.thaw'] = () => ({});
  return { core, reported, questions, forward, said, stop };
}

test('one press stops without a question or a page and opens the pause', async () => {
  const { core, questions, forward, said, stop } = scene();
  await stop.press();
  expect(core.asked).toEqual(['emergencyStop.start']);
  expect(forward).toEqual(['p1']);
  expect([...questions, ...said]).toEqual([]);
});

test('further messages are shown even if there is nothing to pause', async () => {
  const { core, forward, said, stop } = scene();
  core.answers['emergencyStop.start'] = () => ({ id: null, address: null, say: 'Nothing runs.' });
  await stop.press();
  expect(forward).toEqual([]);
  expect(said).toEqual(['Nothing runs.']);
});

test('a held key makes one request and one dialog', async () => {
  const { core, said, stop } = scene();
  core.answers['emergencyStop.start'] = () => ({ id: null, address: null, say: 'Nothing runs.' });
  await Promise.all([stop.press(), stop.press()]);
  expect(core.asked).toEqual(['emergencyStop.start']);
  await stop.press();
  expect(said).toEqual(['Nothing runs.']);
});

test.each([
  [true, ['agents.thaw']],
  [false, []],
])('agents work again only if the user confirms: %s', async (answer, asked) => {
  const { core, questions, stop } = scene(answer);
  await stop.thaw();
  expect(questions).toHaveLength(1);
  expect(core.asked).toEqual(asked);
});

test('an unreachable core is reported to the user', async () => {
  const { core, reported, stop } = scene();
  core.answers = {};
  await stop.press();
  expect(reported).toHaveLength(1);
});

test('the host knows whether agents are frozen from the core’s start and after each change', async () => {
  const core = fakeCore({ kind: 'starting' });
  const timers = manualTimers();
  const heard: (boolean | null)[] = [];
  let sinceMs: number | null = null;
  core.answers['agents.get'] = () => agents(sinceMs);
  const stop = watchFrozen({ core, after: timers.after, onChange: (frozen) => heard.push(frozen) });
  const look = async (): Promise<void> => {
    timers.pass(250);
    await settled();
  };
  core.become({ kind: 'ready' });
  await look();
  sinceMs = 5;
  core.say({ kind: 'agents.changed' });
  await look();
  core.become({ kind: 'restarting', sinceMs: 1, attempt: 1, nextTryAtMs: 2 });
  expect(heard).toEqual([false, true, null]);
  stop();
});
