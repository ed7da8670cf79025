import { expect, test } from 'vitest';
import { appRequestNames } from '#shared/app-api/index.ts';
import {
  appChannel,
  appPushes,
  coreStateNowChannel,
  desktopApi,
  desktopChannel,
  desktopRequestNames,
} from '#shared/host-api/index.ts';

test('the list of desktop requests is the whole desktop API', () => {
  expect(desktopRequestNames.toSorted()).toEqual(Object.keys(desktopApi).toSorted());
});

test('every channel has a name of its own', () => {
  const channels = [
    ...appRequestNames.map(appChannel),
    ...desktopRequestNames.map(desktopChannel),
    ...Object.values(appPushes),
    coreStateNowChannel,
  ];
  expect(new Set(channels).size).toBe(channels.length);
});
