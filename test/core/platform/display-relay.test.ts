import { expect, test } from 'vitest';
import { createDisplayRelay } from '#core/platform/display-relay.ts';
import { exampleDisplay } from '#test/fixtures/proposal.ts';

test('the host hides every display, including one that a step of a review opened', async () => {
  const hidden: string[] = [];
  const { confirmer, end } = createDisplayRelay({
    via: 'browser',
    show: async () => ({ address: null }),
    hide: (displayId) => void hidden.push(displayId),
  });
  await confirmer.show(exampleDisplay({}, 'first'));
  confirmer.hide('of a step');
  confirmer.hide('first');
  await confirmer.show(exampleDisplay({}, 'second'));
  end();
  expect(hidden).toEqual(['of a step', 'first', 'second']);
});
