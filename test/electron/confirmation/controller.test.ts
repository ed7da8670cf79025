import { beforeEach, expect, test } from 'vitest';
import { drawingLimitMs, lingerMs } from '#electron/confirmation/controller.ts';
import { createScene, type Scene } from './scene.ts';

let scene: Scene;
beforeEach(() => {
  scene = createScene();
});

const bringForward = (displayId: string): void =>
  scene.controller.take({ kind: 'reviewed', proposalId: `proposal of ${displayId}` });

test('the window appears when its page has drawn the question, so no earlier question is visible', () => {
  scene.show('a');
  expect(scene.window.reported).toEqual(['reopen']);
  scene.controller.drawn('another');
  expect(scene.window.visible).toBe(false);
  scene.controller.drawn('a');
  expect(scene.window.reported).toEqual(['reopen', 'show', 'attract']);
  scene.clock.advance(drawingLimitMs * 2);
  expect(scene.window.reported).toHaveLength(3);
});

test('a page that draws nothing is shown after a moment', () => {
  scene.show('a');
  scene.clock.advance(drawingLimitMs - 1);
  expect(scene.window.visible).toBe(false);
  scene.clock.advance(1);
  expect(scene.window.visible).toBe(true);
});

test('a window that opens by itself takes no focus, and a window that the user opened does', () => {
  scene.show('a');
  scene.controller.drawn('a');
  expect(scene.window.focused).toBe(false);
  bringForward('a');
  expect(scene.window.focused).toBe(true);
});

test('pressing Review while the window is about to appear shows it with the focus', () => {
  scene.show('a');
  bringForward('a');
  scene.controller.drawn('a');
  expect(scene.window.reported).toEqual(['reopen', 'show with focus', 'attract']);
});

test('a window that was closed before it appeared stays closed', () => {
  scene.show('a');
  scene.controller.take({ kind: 'dismissed' });
  scene.clock.advance(drawingLimitMs);
  expect(scene.window.visible).toBe(false);
});

test('an ended display disappears from an unfocused window after a while and stays in a focused one', () => {
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

test('the page is notified whenever the number of waiting displays changes', () => {
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

test('during a mission nothing opens or draws attention, and waiting displays open afterwards', () => {
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

test('the user can open a waiting display during a mission, with the focus, and the next displays stay there', () => {
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

test('a window that is about to appear by itself stays closed when a mission begins', () => {
  scene.show('a');
  scene.controller.setQuiet(true);
  scene.controller.drawn('a');
  scene.clock.advance(drawingLimitMs * 2);
  expect(scene.window.visible).toBe(false);
  scene.controller.setQuiet(false);
  expect(scene.window.visible).toBe(true);
});

test('a display that ended during a mission does not open afterwards', () => {
  scene.controller.setQuiet(true);
  scene.show('a');
  scene.controller.drawn('a');
  scene.controller.take({ kind: 'hidden', displayId: 'a', focused: false });
  scene.clock.advance(lingerMs);
  scene.controller.setQuiet(false);
  expect(scene.window.visible).toBe(false);
});

test('a disposed controller leaves no timer', () => {
  scene.show('a');
  scene.controller.dispose();
  scene.clock.advance(drawingLimitMs);
  expect(scene.window.visible).toBe(false);
});
