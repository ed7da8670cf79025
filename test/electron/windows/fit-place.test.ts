import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitPlace, largestConfirmSize } from '#electron/windows/fit-place.ts';

const minimum = { width: 960, height: 600 };
const laptop = { x: 0, y: 25, width: 1440, height: 875 };
const right = { x: 1440, y: 0, width: 2560, height: 1400 };
const left = { x: -1920, y: 0, width: 1920, height: 1040 };
const at = (x: number, y: number, width = 1280, height = 800, maximised = false) => ({
  x,
  y,
  width,
  height,
  maximised,
});

test.each([
  ['on the main screen', at(40, 60), [laptop], at(40, 60)],
  ['on a second screen', at(1600, 100), [laptop, right], at(1600, 100)],
  ['left of the main screen', at(-1800, 20), [laptop, left], at(-1800, 20)],
  ['maximised', at(1600, 100, 1280, 800, true), [laptop, right], at(1600, 100, 1280, 800, true)],
])('a window %s reopens at its position', (_where, place, screens, expected) => {
  expect(fitPlace(place, screens, minimum)).toEqual(expected);
});

test.each([
  ['whose screen was disconnected', at(1600, 100), [laptop], at(80, 63)],
  ['below every screen', at(40, 2000), [laptop], at(80, 63)],
  ['above every screen, where its title cannot be reached', at(40, -500), [laptop], at(80, 63)],
  ['with only a sliver on a screen', at(1400, 60), [laptop], at(80, 63)],
])('a window %s opens in the middle of the main screen', (_where, place, screens, expected) => {
  expect(fitPlace(place, screens, minimum)).toEqual(expected);
});

test('a window beyond the edge of a screen moves inside it', () => {
  expect(fitPlace(at(900, 500), [laptop], minimum)).toEqual(at(160, 100));
});

test('a window larger than the screen shrinks to it', () => {
  expect(fitPlace(at(0, 25, 2560, 1400), [laptop], minimum)).toEqual(at(0, 25, 1440, 875));
});

test('the top left corner stays reachable on a screen smaller than the minimum size', () => {
  const tiny = { x: 0, y: 0, width: 800, height: 480 };
  expect(fitPlace(at(300, 300), [tiny], minimum)).toEqual(at(0, 0, 960, 600));
});

test('the position is unchanged if the system reports no screen', () => {
  expect(fitPlace(at(5, 5), [], minimum)).toEqual(at(5, 5));
});

test('the top left corner of a window always opens on an existing screen', () => {
  const screen = fc.record({
    x: fc.integer({ min: -6000, max: 6000 }),
    y: fc.integer({ min: -3000, max: 3000 }),
    width: fc.integer({ min: 640, max: 4000 }),
    height: fc.integer({ min: 480, max: 2500 }),
  });
  const place = fc.record({
    x: fc.integer({ min: -20000, max: 20000 }),
    y: fc.integer({ min: -20000, max: 20000 }),
    width: fc.integer({ min: 1, max: 9000 }),
    height: fc.integer({ min: 1, max: 9000 }),
    maximised: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(screen, { minLength: 1, maxLength: 4 }), place, (screens, before) => {
      const after = fitPlace(before, screens, minimum);
      const holds = screens.some(
        ({ x, y, width, height }) =>
          after.x >= x && after.y >= y && after.x < x + width && after.y < y + height,
      );
      expect(holds).toBe(true);
      expect(after.width).toBeGreaterThanOrEqual(minimum.width);
      expect(after.height).toBeGreaterThanOrEqual(minimum.height);
    }),
  );
});

const smallest = { width: 560, height: 480 };

test.each([
  ['a usual screen', { width: 1920, height: 1200 }, { width: 1728, height: 1080 }],
  ['a screen on which it cannot be smaller', { width: 600, height: 500 }, smallest],
])('a confirmation never covers the whole of %s', (_screen, workArea, largest) => {
  expect(largestConfirmSize(workArea, smallest)).toEqual(largest);
});
