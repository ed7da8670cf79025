import { expect, test } from 'vitest';
import { isOver, openAgentWorld } from './world.ts';

test('a person who does not let the sample agent in has heard the last of it', async () => {
  const { core, asked, until } = await openAgentWorld(() => ({ deny: 'Not today' }));
  await core.handlers['sampleAgent.start']({});
  const view = await until(isOver);
  expect(view.steps.map(({ text }) => text)).toEqual([
    'Connects to Countersign as “Sample agent”.',
    'Asks to be let in. Countersign asks you in its own window.',
    'Nobody let it in. It leaves.',
  ]);
  expect(view.state).toBe('ended');
  expect(asked.map(({ operation }) => operation)).toEqual(['agent.admit']);
});
