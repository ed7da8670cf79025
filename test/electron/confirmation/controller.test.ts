import { beforeEach, expect, test } from 'vitest';
import { drawingLimitMs, lingerMs } from '#electron/confirmation/controller.ts';
import { createScene, type Scene } from './scene.ts';

let scene: Scene;
beforeEach(() => {
  scene = createScene();
});

const bringForward = (displayId: string): void =>
  scene.controller.take({ kind: 'reviewed', proposalId: `proposal of ${displayId}` });

test('the window comes up when its page has drawn the question, so that no earlier one flashes up', () => {
  scene.show('a');
  expect(scene.window.reported).toEqual(['reopen']);
  scene.controller.drawn('another');
  expect(scene.window.visible).toBe(false);
  scene.controller.drawn('a');
  expect(scene.window.reported).toEqual(['reopen', 'show', 'attract']);
  scene.clock.advance(drawingLimitMs * 2);
  expect(scene.window.reported).toHaveLength(3);
});

test('a page that draws nothing is shown as it is after a moment', () => {
  scene.show('a');
  scene.clock.advance(drawingLimitMs - 1);
  expect(scene.window.visible).toBe(false);
  scene.clock.advance(1);
  expect(scene.window.visible).toBe(true);
});

test('a window that opens unasked takes no focus; one that a person asked for does', () => {
  scene.show('a');
  scene.controller.drawn('a');
  expect(scene.window.focused).toBe(false);
  bringForward('a');
  expect(scene.window.focused).toBe(true);
});

test('pressing Review while the window is about to come up brings it with the focus', () => {
  scene.show('a');
  bringForward('a');
  scene.controller.drawn('a');
  expect(scene.window.reported).toEqual(['reopen', 'show with focus', 'attract']);
});

test('a window that was closed before it came up stays away', () => {
  scene.show('a');
  scene.controller.take({ kind: 'dismissed' });
  scene.clock.advance(drawingLimitMs);
  expect(scene.window.visible).toBe(false);
});

test('an ended display disappears from an unfocused window after a while, and stays in one with the focus', () => {
  scene.show('a');
  scene.controller.drawn('a');
  scene.controller.take({ kind: 'hidden', displayId: 'a', focused: false });
  scene.clock.advance(lingerMs - 1);
  expect(scene.window.visible).toBe(true);
  scene.clock.advance(1);
  expect(scene.window.visible).toBe(false);

  scene.show('b');
  bringForward('b');
  scene.controller.drawn('b');
  scene.controller.take({ kind: 'hidden', displayId: 'b', focused: true });
  scene.clock.advance(lingerMs * 2);
  expect(scene.window.visible).toBe(true);
  scene.blur();
  expect(scene.window.visible).toBe(false);
});

test('the page hears how many wait whenever that changes', () => {
  scene.show('a');
  scene.show('b');
  scene.show('c');
  scene.controller.take({ kind: 'finished' });
  expect(scene.window.reported.filter((what) => what.startsWith('waiting'))).toEqual([
    'waiting 1',
    'waiting 2',
    'waiting 1',
  ]);
});

test('while it is quiet nothing comes up or draws attention; what was held back comes up when that ends', () => {
  scene.controller.setQuiet(true);
  scene.show('a');
  scene.controller.drawn('a');
  scene.show('b');
  scene.clock.advance(drawingLimitMs * 2);
  expect(scene.window.visible).toBe(false);
  expect(scene.window.reported).toEqual(['reopen', 'waiting 1']);
  scene.controller.setQuiet(false);
  expect(scene.window.reported.slice(2)).toEqual(['show', 'attract']);
  expect(scene.window.focused).toBe(false);
});

test('a person’s press brings up at once what was held back, with the focus, and what follows it stays in its place', () => {
  scene.controller.setQuiet(true);
  scene.show('a');
  scene.controller.drawn('a');
  bringForward('a');
  expect(scene.window.focused).toBe(true);
  // The person returns to training. The window behind it must not rise when its confirmation ends.
  scene.blur();
  scene.show('b');
  scene.controller.take({ kind: 'hidden', displayId: 'a', focused: false });
  scene.clock.advance(lingerMs);
  expect(scene.controller.active()?.display.displayId).toBe('b');
  expect(scene.window.reported.filter((reported) => reported === 'show' || reported === 'attract')).toEqual(
    [],
  );
});

test('a window that is about to come up by itself stays away when it becomes quiet', () => {
  scene.show('a');
  scene.controller.setQuiet(true);
  scene.controller.drawn('a');
  scene.clock.advance(drawingLimitMs * 2);
  expect(scene.window.visible).toBe(false);
  scene.controller.setQuiet(false);
  expect(scene.window.visible).toBe(true);
});

test('what ended while it was quiet does not come up afterwards', () => {
  scene.controller.setQuiet(true);
  scene.show('a');
  scene.controller.drawn('a');
  scene.controller.take({ kind: 'hidden', displayId: 'a', focused: false });
  scene.clock.advance(lingerMs);
  scene.controller.setQuiet(false);
  expect(scene.window.visible).toBe(false);
});

test('the controller that is put away leaves no timer behind', () => {
  scene.show('a');
  scene.controller.dispose();
  scene.clock.advance(drawingLimitMs);
  expect(scene.window.visible).toBe(false);
});
