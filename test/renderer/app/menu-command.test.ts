import { expect, test } from 'vitest';
import { doMenuCommand } from '#renderer/app/sections.ts';
import type { Route } from '#renderer/stores/ui/route.ts';
import type { MenuCommand } from '#shared/host-api/index.ts';

interface Place {
  route: Route;
  overlay: string | null;
  wanted: string | null;
}

function after(...commands: MenuCommand[]): Place {
  const place: Place = { route: { page: 'campaigns', cid: 7 }, overlay: 'palette', wanted: null };
  for (const command of commands) {
    doMenuCommand(command, {
      show: (overlay) => (place.overlay = overlay),
      navigate: (route) => (place.route = route),
      requestFocus: (wanted) => (place.wanted = wanted),
    });
  }
  return place;
}

const list: Route = { page: 'campaigns', cid: null };

const rows: [MenuCommand, Place][] = [
  ['go.campaigns', { route: list, overlay: null, wanted: null }],
  ['go.drafts', { route: { page: 'drafts' }, overlay: null, wanted: null }],
  ['go.proposals', { route: { page: 'proposals', id: null }, overlay: null, wanted: null }],
  ['go.schedules', { route: { page: 'schedules', id: null }, overlay: null, wanted: null }],
  ['go.ledger', { route: { page: 'ledger' }, overlay: null, wanted: null }],
  ['go.agents', { route: { page: 'agents' }, overlay: null, wanted: null }],
  ['go.reports', { route: { page: 'reports', parameters: '' }, overlay: null, wanted: null }],
  ['go.guide', { route: { page: 'guide', place: null }, overlay: null, wanted: null }],
  ['go.settings', { route: { page: 'settings' }, overlay: null, wanted: null }],
  ['go.alerts', { route: { page: 'reports', parameters: 'part=alerts' }, overlay: null, wanted: null }],
  ['search', { route: list, overlay: null, wanted: 'search' }],
  ['palette', { route: { page: 'campaigns', cid: 7 }, overlay: 'palette', wanted: null }],
  ['shortcuts', { route: { page: 'campaigns', cid: 7 }, overlay: 'shortcuts', wanted: null }],
  ['updates', { route: { page: 'campaigns', cid: 7 }, overlay: 'updates', wanted: null }],
  ['about', { route: { page: 'campaigns', cid: 7 }, overlay: 'about', wanted: null }],
  ['first-start', { route: { page: 'campaigns', cid: 7 }, overlay: 'first-start', wanted: null }],
];

test.each(rows)(
  'the menu’s %s opens its page or dialog, and no other dialog stays open',
  (command, place) => {
    expect(after(command)).toEqual(place);
  },
);

test.each(rows)('choosing %s twice has the same effect as choosing the command once', (command, place) => {
  expect(after(command, command)).toEqual(place);
});
