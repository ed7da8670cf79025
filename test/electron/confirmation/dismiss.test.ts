import { expect, test } from 'vitest';
import { dismiss } from '#electron/confirmation/controller.ts';
import { AppError } from '#shared/errors/index.ts';
import { createScene } from './scene.ts';

function dismissing(scene: ReturnType<typeof createScene>): unknown[][] {
  const asked: unknown[][] = [];
  dismiss({
    controller: scene.controller,
    core: {
      async ask(...ask) {
        asked.push(ask);
        throw new AppError('display_unknown');
      },
    },
  });
  return asked;
}

test('closing a question is reported to the core, so that the next does not appear immediately', () => {
  const scene = createScene();
  const { displayId, nonce } = scene.show('a');
  expect(dismissing(scene)).toEqual([['confirmation', 'postpone', { displayId, nonce }]]);
  expect(scene.controller.active()).toBeNull();
});

test('closing an outcome or an empty window is not reported', () => {
  const scene = createScene();
  expect(dismissing(scene)).toEqual([]);
  scene.show('a');
  scene.controller.take({ kind: 'chosen', displayId: 'a' });
  scene.controller.take({ kind: 'decided', displayId: 'a', again: null });
  expect(dismissing(scene)).toEqual([]);
});
