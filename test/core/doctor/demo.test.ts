import { expect, onTestFinished, test } from 'vitest';
import type { DoctorReport } from '#shared/app-api/index.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import { composeUnattended } from '#test/servers/unattended-core.ts';

test('the doctor finds no fault in the Demo profile', async () => {
  const core = await composeUnattended({ dataFolder: tempFolder(), host: 'browser', demoCampaigns: 20 });
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
