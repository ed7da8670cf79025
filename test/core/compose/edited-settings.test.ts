import { expect, test } from 'vitest';
import { withStore } from '#test/servers/stores.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import { composeUnattended } from '#test/servers/unattended-core.ts';

/** Every setting that a start or a page's first requests read. A restore writes its own settings too. */
const settings = [
  'agents.frozen',
  'agents.guardrails',
  'agents.guardrails.demo',
  'backup.savedAtMs',
  'copies.days',
  'demo.port',
  'emergency-stop.left-out.demo',
  'emergency-stop.pauses.demo',
  'emergency-stop.set.demo',
  'gateway.port',
  'profile.current',
  'proposals.keptDays',
  'proposals.waitingMinutes',
  'restore.last',
  'shown.formats',
];

const start = (dataFolder: string) => composeUnattended({ dataFolder, host: 'desktop', demoCampaigns: 5 });

test.each([
  'abc',
  '99999',
  '65536',
  '-1',
  '0.5',
  '1e400',
  '',
  '{',
  '[]',
  'null',
  '"text"',
  '{"__proto__":1}',
])('a core whose settings were all replaced by %j starts and reports its state', async (value) => {
  const folder = tempFolder();
  await (await start(folder)).dispose();
  withStore(folder, (store) => {
    store.transaction(() => settings.forEach((key) => store.settings.set(key, value)));
  });
  const { handlers, dispose } = await start(folder);
  try {
    await handlers['session.get']({});
    await handlers['session.status']({});
    await handlers['data.get']({});
    await handlers['agents.get']({});
    await handlers['agents.openEndpoint']({ onAnotherPort: false });
    expect((await handlers['agents.get']({})).endpoint.problem).toBeNull();
  } finally {
    await dispose();
  }
});
