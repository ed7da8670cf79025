import { expect, test } from 'vitest';
import { appApi, appRequestNames } from '#shared/app-api/index.ts';

test('the list of names, from which preload and registrar are made, is the whole app API', () => {
  expect(appRequestNames.toSorted()).toEqual(Object.keys(appApi).toSorted());
});

test('no page can ask for a decision', () => {
  expect(appRequestNames.filter((name) => /decide|approve|confirm/i.test(name))).toEqual([]);
});
