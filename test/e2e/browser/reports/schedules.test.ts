import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { ManualClock } from '#test/servers/manual-clock.ts';
import type { TestAgent } from '#test/servers/agent/agent.ts';
import { admitAgent } from '../../driver/agents.ts';
import { axeFaults } from '../../driver/axe.ts';
import { prepareBrowserSessions } from '../../driver/browser/sessions.ts';
import { runningClock } from '../../driver/running-clock.ts';
import { dueSchedule, dueWords, scheduleStates } from '../../driver/schedule-states.ts';

const { startSession } = prepareBrowserSessions();

const minuteMs = 60_000;

function timeIn(clock: ManualClock, minutes: number): string {
  return new Date(clock.nowMs() + minutes * minuteMs).toISOString().slice(11, 16);
}

test('the user schedules a report, runs it and cancels it through proposals', async () => {
  const clock = runningClock();
  const { app, complaints } = await startSession({ clock, demoCampaigns: 24 });
  const { page } = app;
  const found: Record<string, string[]> = {};
  await app.goTo('Schedules');
  await page.getByRole('heading', { name: 'No schedules yet' }).waitFor();
  found['empty'] = await axeFaults(page);
  await page.getByRole('button', { name: 'Schedule a report…' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Schedule a report' });

  // Every problem is shown at its field, and nothing is proposed.
  await dialog.getByLabel('Days before the run').fill('91');
  await dialog.getByLabel('Time', { exact: true }).fill('9 o’clock');
  await dialog.getByLabel('Time zone').fill('Mars/Olympus');
  await dialog.getByRole('button', { name: 'Review schedule' }).click();
  await dialog.getByText('Enter whole days from 1 to 90.').waitFor();
  await dialog.getByText('Enter the time as HH:MM, from 00:00 to 23:59.').waitFor();
  await dialog.getByText('Enter the name of a time zone, for example Europe/Berlin.').waitFor();
  found['dialog'] = await axeFaults(page);

  const time = timeIn(clock, 3);
  await dialog.getByLabel('Days before the run').fill('3');
  await dialog.getByLabel('Time', { exact: true }).fill(time);
  await dialog.getByLabel('Time zone').fill('UTC');
  await dialog.getByLabel('Name').fill('Daily traffic');
  // Demo's reports can be scheduled too.
  await dialog.getByLabel('Traffic source').selectOption('7301');
  const asking = await app.confirmationFrom(dialog.getByRole('button', { name: 'Review schedule' }));
  expect(await asking.title()).toBe(
    `Schedule a report “Daily traffic”: XML traffic of source 7301 by day, the 3 days before, as CSV. Every day at ${time} (UTC)`,
  );
  const words = await asking.words();
  expect(words).toContain('proposed by you');
  expect(words).toContain('It changes no campaign and spends nothing.');
  expect(words).toMatch(/First runs\s+\w{3} \d+ \w{3} \d{4}, \d{2}:\d{2} UTC; /);
  await asking.armed();
  found['confirmation'] = await axeFaults(asking.page);
  await asking.pressApprove();
  await asking.ends('Verified');
  await asking.close();

  await page.getByRole('link', { name: /“Daily traffic”/ }).click();
  const details = page.getByRole('region', { name: 'Schedule details' });
  await details.getByRole('link', { name: 'You', exact: true }).waitFor();
  await details.getByText(`Every day at ${time} (UTC)`, { exact: true }).waitFor();
  clock.advance(4 * minuteMs);
  await page.getByRole('button', { name: 'Refresh', exact: true }).click();
  // The run has begun. The page reads again by itself, seconds later by the core's clock.
  const report = details.getByText(/Report made: 3 rows/);
  await expect.poll(() => (clock.advance(1_000), report.count())).toBe(1);
  await report.waitFor();
  const download = page.waitForEvent('download');
  await details.getByRole('button', { name: 'Save file…' }).click();
  const saved = await download;
  expect(saved.suggestedFilename()).toMatch(/^daily-traffic-\d{4}-\d{2}-\d{2}\.csv$/);
  expect(
    readFileSync(await saved.path(), 'utf8')
      .trimEnd()
      .split('\n'),
  ).toHaveLength(4);
  await details.getByText('Saved.').waitFor();
  found['details'] = await axeFaults(page);

  const ending = await app.confirmationFrom(details.getByRole('button', { name: 'Cancel schedule…' }));
  expect(await ending.title()).toMatch(/^Cancel schedule “Daily traffic”/);
  await ending.pressApprove();
  await ending.ends('Verified');
  await details.getByText('Cancelled', { exact: true }).waitFor();
  await expect.poll(() => details.getByRole('region', { name: 'History' }).getByRole('link').count()).toBe(2);
  expect(await page.getByRole('button', { name: 'Cancel schedule…' }).count()).toBe(0);
  expect(found).toEqual(Object.fromEntries(Object.keys(found).map((place) => [place, []])));
  expect(await complaints()).toEqual([]);
});

test('a change that an agent scheduled becomes a proposal when it is due, and is sent once approved', async () => {
  const clock = runningClock();
  const { app, second } = await startSession({ clock, demoCampaigns: 24 });
  const { page } = app;
  const agent = await admitAgent(app, { name: 'Claude Code' });
  const [cid = 0] = await second.cids({ status: 1, perPage: 1 });
  const made = scheduleAPause(agent, { cid, time: timeIn(clock, 5) });
  const [creation = ''] = await app.waiting(1);
  const creating = await app.bringUp(creation);
  await creating.page.getByLabel(/to confirm/).fill(String(cid));
  await creating.pressApprove();
  expect((await made).isError).not.toBe(true);

  await app.goTo('Schedules');
  const details = page.getByRole('region', { name: 'Schedule details' });
  await page.getByRole('link', { name: /“Pause every night”/ }).click();
  await details.getByRole('link', { name: '“Claude Code” (agent)' }).waitFor();
  clock.advance(6 * minuteMs);
  await page.getByRole('button', { name: 'Refresh', exact: true }).click();
  const [due = ''] = await app.waiting(1);
  await details.getByText('A change awaits your approval').waitFor();
  const asking = await app.bringUp(due);
  expect(await asking.title()).toMatch(/^Pause /);
  const words = await asking.words();
  expect(words).toContain('proposed by schedule “Pause every night”');
  expect(words).toContain('If you deny it, nothing is sent');
  expect((await second.read(cid))['status']).toBe(1);
  await asking.pressApprove();
  await asking.ends('Verified');
  expect((await second.read(cid))['status']).toBe(3);
  await details.getByText(/Approved and sent/).waitFor();
  expect(await app.waiting(0)).toEqual([]);
});

test('every state of the schedules page explains itself with the next step, and axe finds no fault in it', async () => {
  const { app, complaints } = await startSession({ demoCampaigns: 1 });
  const { page } = app;
  const found: Record<string, string[]> = {};
  // One route for all states, because between two routes the real list would arrive and stay.
  const listed: { now: object } = { now: scheduleStates.reading[0] };
  await page.route('**/api/schedules.list', (route) => route.fulfill({ json: { output: listed.now } }));
  for (const [name, [output, words]] of Object.entries(scheduleStates)) {
    listed.now = output;
    await app.goTo('Campaigns');
    await app.goTo('Schedules');
    await page.getByText(words).or(page.getByLabel(words)).first().waitFor();
    if (name === 'foreign') {
      await page.getByRole('link', { name: /Nightly/ }).click();
      // The time in both zones, and a run with an unknown outcome.
      await page.getByText('22 Nov, 14:45 (Asia/Kathmandu)').first().waitFor();
      await page
        .getByText(/your time/)
        .first()
        .waitFor();
      await page.getByText('2 runs while the service was down').waitFor();
      expect(await page.locator('b').filter({ hasText: 'report' }).count()).toBe(0);
    }
    found[name] = await axeFaults(page);
  }
  for (const [stage, words] of Object.entries(dueWords)) {
    listed.now = dueSchedule(stage);
    await page.getByRole('button', { name: 'Refresh', exact: true }).click();
    const details = page.getByRole('region', { name: 'Schedule details' });
    await details.getByText(words).waitFor();
    // Only a change that can still be decided is described as awaiting a decision.
    const isOpen = stage === 'waiting' || stage === 'unproposed';
    await expect.poll(() => details.getByText('Due: awaiting approval').count()).toBe(isOpen ? 1 : 0);
    await expect.poll(() => details.getByText('approval ends in').count()).toBe(isOpen ? 1 : 0);
    found[`due ${stage}`] = await axeFaults(page);
  }
  await page.setViewportSize({ width: 480, height: 800 });
  await page.getByRole('link', { name: 'All schedules' }).waitFor();
  found['narrow'] = await axeFaults(page);
  expect(found).toEqual(Object.fromEntries(Object.keys(found).map((place) => [place, []])));
  expect(await complaints()).toEqual([]);
});

async function scheduleAPause(agent: TestAgent, { cid, time }: { cid: number; time: string }) {
  const { structuredContent } = await agent.call('svc_prepare_task', {
    name: 'Pause every night',
    kind: 'campaign_status',
    schedule: { type: 'daily', time, timezone: 'UTC' },
    parameters: { cids: [cid], status: 'paused' },
  });
  const { data } = structuredContent as {
    data: { approval: { id: string; fingerprint: string }; payload: Record<string, unknown> };
  };
  const { approval, payload } = data;
  return agent.call('svc_commit', {
    approvalId: approval.id,
    fingerprint: approval.fingerprint,
    payload,
    idempotencyKey: `task-${approval.id}`,
    confirmed: true,
  });
}
