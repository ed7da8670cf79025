import { expect, test } from 'vitest';
import { prepareBrowserSessions } from '../driver/browser/sessions.ts';
import { pressEveryButton, type PressedPage } from '../driver/every-button.ts';
import { untilReportSettles } from '../driver/reports.ts';

const { startSession } = prepareBrowserSessions();

const pages: PressedPage[] = [
  {
    place: '#/proposals',
    fill: async (app, [cid = 0], second) => {
      const { name: from } = await second.read(cid);
      await app.propose(cid, { field: 'name', from, to: 'Proposed' });
    },
  },
  { place: '#/reports?xml=7301', untilLoaded: untilReportSettles },
  { place: '#/reports?xml=7301&part=alerts' },
  { place: '#/schedules' },
  { place: '#/ledger' },
  { place: '#/decisions' },
  { place: '#/agents' },
  { place: '#/guide' },
  { place: '#/settings' },
];

test.each(pages)('on $place every button leaves the focus where the user sees it', async (page) => {
  expect(await pressEveryButton(await startSession({ demoCampaigns: 24 }), page)).toBeGreaterThan(0);
});
