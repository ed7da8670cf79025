import { expect, test } from 'vitest';
import { prepareBrowserSessions } from '../driver/browser/sessions.ts';
import { pressEveryButton, type PressedPage } from '../driver/every-button.ts';

const { startSession } = prepareBrowserSessions();

const drafted = (value: unknown) => ({ from: null, operations: [{ kind: 'set', value }] });

const pages: PressedPage[] = [
  { place: '#/campaigns', part: 'body' },
  { place: '#/campaigns/<cid>', part: 'section[aria-label^="Campaign "]' },
  {
    place: '#/campaigns/<cid>/filters',
    fill: (app, [cid]) =>
      app.ask('drafts.change', {
        title: 'Blocked',
        changes: [{ cid, field: 'publisher_blocklist', draft: drafted([11, 12, 12]) }],
      }),
  },
  {
    place: '#/campaigns/<cid>/budget',
    fill: (app, [cid]) =>
      app.ask('drafts.change', {
        title: 'Budget',
        changes: [{ cid, field: 'd_revenue', draft: drafted(77) }],
      }),
  },
  { place: '#/campaigns/<cid>/schedule' },
  {
    place: '#/drafts',
    fill: (app, cids) =>
      app.ask('drafts.change', {
        title: 'Names',
        changes: cids.map((cid) => ({ cid, field: 'name', draft: drafted('Named') })),
      }),
  },
];

test.each(pages)('on $place every button leaves the focus where the user sees it', async (page) => {
  expect(await pressEveryButton(await startSession({ demoCampaigns: 24 }), page)).toBeGreaterThan(0);
});
