import { expect, test } from 'vitest';
import { openPolicyPlace } from '#test/servers/policy-place.ts';
import { axeFaults } from '../../driver/axe.ts';
import { prepareBrowserSessions } from '../../driver/browser/sessions.ts';

const { startSession } = prepareBrowserSessions();

test('the administrator’s limits are shown as fixed, and an unusable policy file is named on every page', async () => {
  const policyPlace = openPolicyPlace();
  policyPlace.write({ guardrails: { maxCampaigns: 5, quietHours: { fromHour: 22, untilHour: 7 } } });
  const { app, complaints } = await startSession({ demoCampaigns: 20, policyPlace });
  const { page } = app;
  await app.until('first row');
  await app.goTo('Agents');
  const fixed = page.getByRole('region', { name: 'Fixed by your administrator' });
  await fixed.getByText('One change may touch 5 campaigns at most.').waitFor();
  await fixed.getByText('From 22:00 to 07:00 agents may propose nothing').waitFor();
  expect(await axeFaults(page)).toEqual([]);

  policyPlace.write({ guardrails: { maxCampaign: 5 } });
  // The core detects the changed policy with its next request.
  await app.ask('session.status', {});
  const band = page.getByRole('alert').filter({ hasText: 'Live profiles and agents are stopped.' });
  await band.getByText(policyPlace.file).waitFor();
  await band.getByText('maxCampaign').waitFor();
  await app.goTo('Campaigns');
  await band.waitFor();
  expect(await axeFaults(page)).toEqual([]);

  policyPlace.write({});
  await app.ask('session.status', {});
  await band.waitFor({ state: 'detached' });
  expect(await complaints()).toEqual([]);
});
