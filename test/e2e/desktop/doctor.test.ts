import { expect, test } from 'vitest';
import { startBackend } from '#test/core/backend/open-backend.ts';
import { prepareDesktopSessions } from '#test/e2e/driver/desktop/sessions.ts';
import { jsonAnswer, startBrokenService, type Breakage } from '#test/servers/broken-service.ts';

const { startSession } = prepareDesktopSessions();

const page = { status: 200, headers: { 'content-type': 'text/html' }, body: '<!doctype html><p>Welcome</p>' };
const hour = 60 * 60 * 1000;

/** Five ways to be broken, each with the step that says so and what a person reads there. */
const broken: { name: string; breakage: Breakage; step: string; words: RegExp }[] = [
  {
    name: 'Alive and not ready',
    breakage: {
      instead: ({ path }) => (path === '/ready' ? jsonAnswer(503, { status: 'not_ready' }) : null),
    },
    step: 'Ready',
    words: /503/,
  },
  {
    name: 'Another resource',
    breakage: {
      change(answer, { path }) {
        if (path.includes('protected-resource')) answer.body = answer.body.replaceAll('/mcp"', '/other"');
      },
    },
    step: 'Protected resource',
    words: /exact tools address/,
  },
  { name: 'Another host', breakage: { host: 'tools.example' }, step: 'Alive', words: /host name/ },
  { name: 'A page of something else', breakage: { instead: () => page }, step: 'Alive', words: /page|HTML/ },
  {
    name: 'A clock an hour ahead',
    breakage: {
      change(answer) {
        answer.headers['date'] = new Date(Date.now() + hour).toUTCString();
      },
    },
    step: 'Alive',
    words: /clock/i,
  },
];

test('the doctor says of five broken services what is wrong and the one thing to do', async () => {
  const service = await startBackend({ campaigns: 4, days: 2 });
  const { app, complaints } = await startSession({ requestMs: 1_500, demoCampaigns: 4 });
  const { page: window } = app;
  try {
    await app.until('first row');
    for (const { name, breakage, step, words } of broken) {
      const { addresses } = await startBrokenService(service.port, breakage);
      const { id } = (await app.ask('profiles.add', {
        ...addresses,
        name,
        zone: 'UTC',
        remoteAccess: 'oauth',
      })) as { id: string };
      await window.evaluate((route) => void (location.hash = route), `#/profiles/${id}/doctor`);
      await window.getByRole('heading', { name: 'Doctor' }).waitFor();
      await window.getByRole('button', { name: 'Examine', exact: true }).click();
      await window.getByRole('button', { name: 'Examine again' }).waitFor();
      const item = window.getByRole('listitem').filter({
        has: window.getByRole('heading', { name: new RegExp(`^${step}`) }),
      });
      expect(await item.first().innerText(), name).toMatch(words);
      expect(await window.getByRole('region', { name: 'Verdict' }).innerText(), name).toMatch(
        /do(es)? not work|remark/,
      );
    }
    expect(await complaints()).toEqual([]);
  } finally {
    await service.dispose();
  }
});
