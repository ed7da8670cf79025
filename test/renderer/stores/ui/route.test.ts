import { expect, onTestFinished, test, vi } from 'vitest';
import { parseRoute, routeHref, type Route } from '#renderer/stores/ui/route.ts';
import {
  createUiStore,
  clampPanelWidth,
  defaultPreferences,
  readPreferences,
} from '#renderer/stores/ui/ui-store.ts';

const routes: Route[] = [
  { page: 'campaigns', cid: null },
  { page: 'campaigns', cid: 1042 },
  { page: 'campaigns', cid: null, parameters: 'find=push+brazil&with=country%3ABR%3Ayes' },
  { page: 'campaigns', cid: 1042, section: 'schedule', parameters: 'status=1' },
  { page: 'proposals', id: null },
  { page: 'proposals', id: 'a/b c' },
  { page: 'reports', parameters: '' },
  { page: 'reports', parameters: 'xml=7&only=subid%3Aa%2Fb%3Fc' },
  { page: 'ledger' },
  { page: 'ledger', part: 'agents-today' },
  { page: 'decisions' },
  { page: 'agents' },
  { page: 'settings' },
  { page: 'profiles', id: null },
  { page: 'profiles', id: 'new' },
  { page: 'profiles', id: 'a/b c' },
  { page: 'doctor', profileId: 'a/b c' },
];

test.each(routes)('the address of %j opens the same page again', (route) => {
  expect(parseRoute(routeHref(route))).toEqual(route);
});

test.each(['', '#', '#/nowhere', '#/campaigns/x', '#/campaigns/-1', '#/campaigns/1.5'])(
  'the unknown address %j shows the list of campaigns',
  (hash) => {
    expect(parseRoute(hash)).toEqual({ page: 'campaigns', cid: null });
  },
);

test('a broken escape in an address opens the list of proposals', () => {
  expect(parseRoute('#/proposals/%E0%A4%A')).toEqual({ page: 'proposals', id: null });
});

test('a new profile has no doctor, and an address with a broken escape opens the list of profiles', () => {
  expect(parseRoute('#/profiles/new/doctor')).toEqual({ page: 'profiles', id: 'new' });
  expect(parseRoute('#/profiles/%E0%A4%A')).toEqual({ page: 'profiles', id: null });
});

test.each([null, 'not json', '3', '{"theme":"pink","panelWidth":"wide","hiddenColumns":7}'])(
  'preferences that cannot be read (%j) fall back to the defaults',
  (text) => {
    expect(readPreferences(text)).toEqual(defaultPreferences);
  },
);

test('the width of the panel stays within its limits', () => {
  expect(clampPanelWidth(10)).toBe(360);
  expect(clampPanelWidth(5000)).toBe(760);
});

test('a finished action opens no page if the person has navigated elsewhere in the meantime', () => {
  const place = { hash: '#/proposals/p1' };
  vi.stubGlobal('location', place);
  onTestFinished(() => void vi.unstubAllGlobals());
  const store = createUiStore({ getItem: () => null, setItem: () => undefined });
  const { fromHere, navigate } = store.getState();
  const [first, second] = [fromHere(), fromHere()];
  navigate({ page: 'settings' });
  first({ page: 'proposals', id: 'p2' });
  expect(place.hash).toBe('#/settings');
  navigate({ page: 'proposals', id: 'p1' });
  second({ page: 'proposals', id: 'p2' });
  expect(place.hash).toBe('#/proposals/p2');
  expect(store.getState().route).toEqual({ page: 'proposals', id: 'p2' });
});
