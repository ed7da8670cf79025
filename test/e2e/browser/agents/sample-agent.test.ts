import { expect, test } from 'vitest';
import { untilFound } from '#test/setup/eventually.ts';
import { prepareBrowserSessions } from '../../driver/browser/sessions.ts';

const { startSession } = prepareBrowserSessions();

test('the sample agent requests access, proposes good and bad changes, and learns the user’s decisions', async () => {
  const { app, second, complaints } = await startSession();
  await app.until('first row');
  await app.goTo('Agents');
  // The window opens by itself and shows the two words that the agent's page shows too.
  const admission = await app.confirmationFrom(
    app.page.getByRole('button', { name: 'Try it with the sample agent' }),
  );
  expect(await admission.title()).toBe('Let “Sample agent” propose changes to Northwind Media (Demo)');
  const reported = app.page.getByText('Its page shows the words');
  const words = /“([a-z]+ [a-z]+)”/.exec((await reported.textContent()) ?? '')?.[1] ?? 'no words';
  expect(await admission.words()).toContain(words);
  await admission.pressApprove();
  await admission.ends('Allowed');
  await admission.close();

  const decided: string[] = [];
  let writes = 0;
  const next = (): Promise<string> =>
    untilFound(async () => {
      const { state } = (await app.ask('sampleAgent.get', {})) as { state: string };
      if (state === 'ended' || state === 'failed') return state;
      const list = { which: 'waiting', before: null, limit: 50 };
      const { items } = (await app.ask('proposals.list', list)) as { items: { id: string }[] };
      return items.find(({ id }) => !decided.includes(id))?.id ?? '';
    });
  for (let id = await next(); id !== 'ended'; id = await next()) {
    expect(id).not.toBe('failed');
    decided.push(id);
    if (decided.length > 2) {
      await app.ask('proposals.withdraw', { id });
      continue;
    }
    const confirmation = await app.bringUp(id);
    expect(await confirmation.words()).toContain('says:');
    if (decided.length === 1) {
      await confirmation.pressApprove();
      await confirmation.ends('Verified');
      writes += 1;
    } else {
      await confirmation.pressDeny('Too much for today.');
      await confirmation.ends('Denied');
    }
  }

  expect(writes).toBe(1);
  expect(decided.length).toBeGreaterThan(4);
  await app.turnTo();
  await app.goTo('Agents');
  await app.page.getByText('Too much for today.').first().waitFor();
  expect(second.count('PUT', '')).toBe(0);
  expect(await complaints()).toEqual([]);
});
