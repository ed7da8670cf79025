import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { createManualClock, type ManualClock } from '#test/servers/manual-clock.ts';
import type { TestAgent } from '#test/servers/agent/agent.ts';
import { letIn } from '../driver/agents.ts';
import { axeFaults } from '../driver/axe.ts';
import { prepareBrowserSessions } from '../driver/browser/sessions.ts';

const { startSession } = prepareBrowserSessions();

const minuteMs = 60_000;

/** A clock that runs as a real one does, and can be moved on besides. */
function runningClock(): ManualClock {
  const clock = createManualClock();
  const running = setInterval(() => clock.advance(50), 50);
  onTestFinished(() => clearInterval(running));
  return clock;
}

/** HH:MM in UTC, so many minutes from now by the core's clock. */
function timeIn(clock: ManualClock, minutes: number): string {
  return new Date(clock.nowMs() + minutes * minuteMs).toISOString().slice(11, 16);
}

/** Pictures for review, where a folder is named. */
async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env['SHOTS'];
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png` });
}

test('a report is scheduled, runs and is cancelled through proposals', async () => {
  const clock = runningClock();
  const { app, complaints } = await startSession({ clock, demoCampaigns: 24 });
  const { page } = app;
  const found: Record<string, string[]> = {};
  await app.goTo('Schedules');
  await page.getByRole('heading', { name: 'No schedules yet' }).waitFor();
  await shot(page, 'empty');
  found['empty'] = await axeFaults(page);
  await page.getByRole('button', { name: 'Schedule a report…' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Schedule a report' });

  // Everything that is wrong stands at its field, and nothing is proposed.
  await dialog.getByLabel('Days before the run').fill('91');
  await dialog.getByLabel('Time', { exact: true }).fill('9 o’clock');
  await dialog.getByLabel('Time zone').fill('Mars/Olympus');
  await dialog.getByRole('button', { name: 'Review schedule' }).click();
  await dialog.getByText('Enter whole days from 1 to 90.').waitFor();
  await dialog.getByText('Enter the time as HH:MM, from 00:00 to 23:59.').waitFor();
  await dialog.getByText('Enter the name of a time zone, for example Europe/Berlin.').waitFor();
  await shot(page, 'dialog');
  found['dialog'] = await axeFaults(page);

  const time = timeIn(clock, 3);
  await dialog.getByLabel('Days before the run').fill('3');
  await dialog.getByLabel('Time', { exact: true }).fill(time);
  await dialog.getByLabel('Time zone').fill('UTC');
  await dialog.getByLabel('Name').fill('Daily traffic');
  // What the Reports page shows in the Demo can be scheduled there, too.
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
  await shot(asking.page, 'confirm');
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
  await details.getByText(/Report made: 3 rows/).waitFor({ timeout: 60_000 });
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
  await shot(page, 'details');
  found['details'] = await axeFaults(page);

  const ending = await app.confirmationFrom(details.getByRole('button', { name: 'Cancel schedule…' }));
  expect(await ending.title()).toMatch(/^Cancel schedule “Daily traffic”/);
  await ending.pressApprove();
  await ending.ends('Verified');
  await details.getByText('Cancelled', { exact: true }).waitFor();
  expect(await details.getByRole('region', { name: 'History' }).getByRole('link').count()).toBe(2);
  await shot(page, 'cancelled');
  expect(await page.getByRole('button', { name: 'Cancel schedule…' }).count()).toBe(0);
  expect(found).toEqual(Object.fromEntries(Object.keys(found).map((place) => [place, []])));
  expect(await complaints()).toEqual([]);
});

test('a change that an agent’s schedule made due waits as a proposal of the schedule, and is sent once a person approves it', async () => {
  const clock = runningClock();
  const { app, second } = await startSession({ clock, demoCampaigns: 24 });
  const { page } = app;
  const agent = await letIn(app, { name: 'Claude Code' });
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
  await details.getByText('A change is due').waitFor();
  await shot(page, 'due');
  const asking = await app.bringUp(due);
  expect(await asking.title()).toMatch(/^Pause /);
  await shot(asking.page, 'confirm-due');
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

const readAtMs = Date.parse('2026-11-22T09:00:00Z');

/** A list of the core with one task, whose name and kind are foreign. */
const known = {
  profileId: 'demo',
  zone: 'Asia/Kathmandu',
  state: 'idle',
  failure: null,
  readAtMs,
  access: 'ready',
  granted: ['svc:write', 'offline_access'],
  missing: [] as string[],
  unreadable: 0,
  sources: null,
  tasks: [
    {
      id: 'task-1',
      name: 'Nightly ⟨U+202E⟩ </a><b>report',
      what: 'Task of the kind “lunar”',
      when: 'Unknown',
      kind: 'unknown',
      state: 'suspended',
      stateWord: 'suspended',
      reason: 'The access token does not have the scope that this needs.',
      createdAtMs: readAtMs,
      nextDueAtMs: readAtMs,
      lastRun: {
        dueAtMs: readAtMs,
        ranAtMs: readAtMs,
        outcome: 'eclipsed',
        missed: 2,
        reason: null,
        rows: null,
        bytes: null,
        fileName: null,
      },
      due: null,
      createdBy: { kind: 'unknown' },
      history: [],
    },
  ],
};
const away = {
  code: 'service_unreachable',
  message: 'The service cannot be reached.',
  next: 'Check the network.',
};
const nothing = { ...known, readAtMs: null, tasks: [] };

/** Every state that a live profile can have, as the core answers it, and a sentence of the page. */
const states = {
  reading: [{ ...nothing, state: 'reading' }, 'Reading the schedules'],
  'signed out': [{ ...nothing, access: 'signed-out' }, 'Sign in to see schedules'],
  'member token': [{ ...nothing, access: 'direct' }, 'Schedules need a sign-in'],
  'missing scopes': [
    { ...known, missing: ['svc:write', 'offline_access'] },
    'The sign-in does not cover schedules',
  ],
  failed: [
    { ...nothing, state: 'failed', failure: away },
    'Nothing was changed; what is scheduled keeps running',
  ],
  away: [{ ...known, state: 'failed', failure: away }, 'They run at the service all the same'],
  unreadable: [{ ...known, unreadable: 2 }, '2 entries of the service cannot be read'],
  foreign: [known, 'Not created through this Countersign'],
} as const;

test('every state of the page says what is so and what to do, and axe finds nothing in it', async () => {
  const { app, complaints } = await startSession({ demoCampaigns: 1 });
  const { page } = app;
  const found: Record<string, string[]> = {};
  for (const [name, [output, words]] of Object.entries(states)) {
    await page.unroute('**/api/schedules.list');
    await page.route('**/api/schedules.list', (route) => route.fulfill({ json: { output } }));
    await app.goTo('Campaigns');
    await app.goTo('Schedules');
    await page.getByText(words).or(page.getByLabel(words)).first().waitFor();
    if (name === 'foreign') {
      await page.getByRole('link', { name: /Nightly/ }).click();
      // Both clocks, and a run whose outcome is unknown.
      await page.getByText('22 Nov, 14:45 (Asia/Kathmandu)').first().waitFor();
      await page
        .getByText(/your time/)
        .first()
        .waitFor();
      await page.getByText('2 runs while the service was down').waitFor();
      expect(await page.locator('b').filter({ hasText: 'report' }).count()).toBe(0);
    }
    await shot(page, `state-${name}`);
    found[name] = await axeFaults(page);
  }
  await page.setViewportSize({ width: 480, height: 800 });
  await page.getByRole('link', { name: 'All schedules' }).waitFor();
  await shot(page, 'state-narrow');
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
