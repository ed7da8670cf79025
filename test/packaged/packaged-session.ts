import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ElectronApplication } from 'playwright';
import { inject, onTestFinished } from 'vitest';
import { appDriver, skipFirstStart, type AppDriver } from '../e2e/driver/app.ts';
import { desktopHost } from '../e2e/driver/desktop/app-host.ts';
import { keepPictures } from '../e2e/driver/keep-pictures.ts';
import type { ElectronBed } from '../servers/electron-runtime.ts';
import { programIn } from '../servers/packaged/packaged-app.ts';

/** A running packaged app with its core. */
export interface PackagedSession {
  app: AppDriver;
  application: ElectronApplication;
  userData: string;
  /** Returns the Electron process with the core; null if there is none. */
  corePid(): Promise<number | null>;
  /** Returns the content of the core's log file. */
  coreLog(): string;
  /** Quits as a person does; resolves with the exit code. */
  quit(): Promise<number | null>;
}

/** Starts the packaged app on a folder (by default a new one) and waits for its first row. The app ends with the test. */
export async function startPackaged(bed: ElectronBed, userData?: string): Promise<PackagedSession> {
  const folder = userData ?? bed.newFolder();
  const program = programIn(inject('packagedApp').driven);
  const application = await bed.launch({ program, userData: folder, colorScheme: 'light' });
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') await keepPictures(application.context());
    await application.close();
  });
  const app = appDriver(await desktopHost(application, null));
  await app.until('first row');
  if (userData === undefined) await skipFirstStart(app.page);
  return {
    app,
    application,
    userData: folder,
    corePid: () =>
      application.evaluate(({ app: electronApp }) => {
        const cores = electronApp.getAppMetrics().filter(({ name }) => name === 'Countersign core');
        return cores[0]?.pid ?? null;
      }),
    coreLog: () => readFileSync(join(folder, 'data/logs/countersign.log'), 'utf8'),
    async quit() {
      const host = application.process();
      const ended = new Promise<number | null>((resolve) => host.once('exit', resolve));
      await application.evaluate(({ app: electronApp }) => electronApp.quit()).catch(() => undefined);
      return ended;
    },
  };
}
