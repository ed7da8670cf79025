import { randomBytes } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { composeCore } from '#core/compose/compose.ts';
import type { DoctorReport } from '#shared/app-api/index.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';

test('the Demo profile of the app is well, as far as the reports, which this test does not wait for', async () => {
  const core = await composeCore({
    dataFolder: tempFolder(),
    host: 'browser',
    confirmer: { via: 'browser', show: async () => ({ address: null }), hide() {} },
    version: '0.0.0',
    dataKey: randomBytes(32),
    demoCampaigns: 20,
  });
  onTestFinished(() => core.dispose());
  const report = await new Promise<DoctorReport>((resolve) => {
    core.subscribe(({ kind }) => {
      if (kind === 'doctor.changed') void core.handlers['doctor.get']({}).then(look);
    });
    function look(shown: DoctorReport | null): void {
      const isLate = shown?.steps.some(({ id, state }) => id === 'publisher-reports' && state !== 'waiting');
      if (isLate === true) void core.handlers['doctor.stop']({});
      if (shown !== null && shown.endedAtMs !== null) resolve(shown);
    }
    void core.handlers['doctor.start']({ profileId: 'demo' });
  });
  expect(report.steps.map(({ state }) => state)).toEqual([
    ...Array.from({ length: 9 }, () => 'ok'),
    'skipped',
    'skipped',
  ]);
});
