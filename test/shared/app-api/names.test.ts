import { expect, test } from 'vitest';
import { appApi } from '#shared/app-api/index.ts';
import { desktopApi } from '#shared/host-api/index.ts';

test('no page can request a decision', () => {
  const names = Object.keys({ ...appApi, ...desktopApi.work, ...desktopApi.training });
  expect(names.filter((name) => /decide|approve|confirm/i.test(name))).toEqual([]);
});
