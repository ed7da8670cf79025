import { expect, test } from 'vitest';
import { appApi } from '#shared/app-api/index.ts';

test('no page can ask for a decision', () => {
  expect(Object.keys(appApi).filter((name) => /decide|approve|confirm/i.test(name))).toEqual([]);
});
