import { expect, test } from 'vitest';
import { appRequestNames } from '#shared/app-api/index.ts';
import {
  appChannel,
  appPushes,
  confirmChannel,
  coreStateNowChannel,
  desktopApi,
  desktopChannel,
  desktopRequestNames,
} from '#shared/host-api/index.ts';

test('the lists of desktop requests are the whole desktop API', () => {
  const all = new Set([...desktopRequestNames.work, ...desktopRequestNames.training]);
  expect([...all].toSorted()).toEqual(Object.keys(desktopApi).toSorted());
});

test('every channel has a name of its own, and none is of both places', () => {
  const channels = (['work', 'training'] as const).flatMap((place) => [
    ...appRequestNames.map((name) => appChannel(place, name)),
    ...desktopRequestNames[place].map((name) => desktopChannel(place, name)),
    confirmChannel(place, 'decide'),
    coreStateNowChannel(place),
  ]);
  channels.push(...Object.values(appPushes));
  expect(new Set(channels).size).toBe(channels.length);
});
