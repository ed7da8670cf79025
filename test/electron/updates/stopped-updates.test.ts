import { describe, expect, test } from 'vitest';
import type { UpdateStep } from '#shared/host-api/index.ts';
import { updateName } from '#test/servers/update-server.ts';
import { installation, type Installation, newApp } from './installation.ts';

interface NextStep {
  next: string;
  step: UpdateStep;
  breakIt?: (app: Installation) => void;
  becomes: object;
}

const unreachable = { kind: 'refused', failure: { code: 'update_unreachable' } };
const withoutFeed = ({ publisher }: Installation): void => publisher.serve('feed.json', null);

describe('after a download was cancelled', () => {
  const steps: NextStep[] = [
    { next: 'a look', step: 'look', becomes: { kind: 'available' } },
    { next: 'a look that fails', step: 'look', breakIt: withoutFeed, becomes: unreachable },
    { next: 'a download', step: 'download', becomes: { kind: 'ready' } },
    {
      next: 'a download that fails',
      step: 'download',
      breakIt: ({ publisher }) => publisher.serve(updateName, newApp.subarray(1)),
      becomes: { kind: 'refused', failure: { code: 'update_file_wrong' } },
    },
  ];

  async function startDownload(app: Installation): Promise<void> {
    await app.step('look');
    const asked = app.publisher.service.received.length;
    app.updates.step('download');
    await expect.poll(() => app.publisher.service.received.length).toBe(asked + 1);
  }

  test.each(steps)(
    '$next ends with its own result when it follows at once',
    async ({ step, breakIt, becomes }) => {
      const app = await installation();
      const release = app.publisher.hold(updateName);
      await startDownload(app);
      const answer = app.publisher.hold('feed.json');
      breakIt?.(app);
      app.updates.step('cancel');
      const state = app.step(step);
      await expect.poll(() => app.publisher.abandoned).toBe(1);
      release();
      answer();
      expect(await state).toMatchObject(becomes);
    },
  );

  test.each(steps)(
    '$next ends with its own result when it follows the failure',
    async ({ step, breakIt, becomes }) => {
      const app = await installation();
      const release = app.publisher.hold(updateName);
      await startDownload(app);
      app.updates.step('cancel');
      await expect.poll(() => app.publisher.abandoned).toBe(1);
      release();
      breakIt?.(app);
      expect(await app.step(step)).toMatchObject(becomes);
    },
  );
});

describe('after the administrator’s policy forbade', () => {
  test.each<[forbidden: string, step: UpdateStep, before: UpdateStep[]]>([
    ['a look', 'look', []],
    ['a download', 'download', ['look']],
    ['an installation', 'install', ['look', 'download']],
  ])('%s and was corrected, a failed check for updates is reported', async (_forbidden, step, before) => {
    const app = await installation();
    for (const one of before) await app.step(one);
    app.isForbidden = true;
    app.updates.step(step);
    await expect.poll(() => app.updates.view().state).toEqual({ kind: 'off', because: 'policy' });
    app.isForbidden = false;
    withoutFeed(app);
    expect(await app.step('look')).toMatchObject(unreachable);
  });
});
