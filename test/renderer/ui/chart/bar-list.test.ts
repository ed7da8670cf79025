import { expect, test } from 'vitest';
import { othersOf } from '#renderer/ui/chart/bar-list.tsx';

const bar = (figure: string | null, compared: string | null = null) => ({ value: 'x', figure, compared });

test('“Others” is exactly the total minus the shown bars', () => {
  expect(othersOf([bar('0.1', '1'), bar(null)], { figure: '0.3', compared: '5', count: 12 })).toEqual({
    value: null,
    count: 10,
    figure: '0.2',
    compared: '4',
  });
});

test('there is no “Others” for ratios, or if every value is shown', () => {
  expect(othersOf([bar('1')], null)).toBeNull();
  expect(othersOf([bar('1')], { figure: '1', compared: null, count: 1 })).toBeNull();
});
