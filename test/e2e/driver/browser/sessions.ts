import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { Browser, BrowserContext } from 'playwright';
import { createFaults, type Backend } from '#core/backend/index.ts';
import type { PictureNetwork } from '#core/pictures.ts';
import type { PolicyPlace } from '#system/policy/index.ts';
import { builtPages } from '#headless/browser-host/built-pages.ts';
import { startBrowserHost, type BrowserHost } from '#headless/browser-host/start-browser-host.ts';
import { startChild, type Child } from '#test/servers/child.ts';
import { giveCampaignAway } from '#test/servers/stores.ts';
import { inTime } from '#test/setup/eventually.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import { appDriver, type AppDriver } from '../app.ts';
import { type ChromiumChoice, workerChromium } from '../chromium.ts';
import { createSecondClient } from '../second-client.ts';
import { sessionFolder } from '../service-side.ts';
import type { Session, SessionOptions, Sessions } from '../session.ts';
import { openApp, trainingAddress } from './app-host.ts';
import { openContext } from './context.ts';

/** A session in the browser host, with the parts that only this host has. */
export interface BrowserSession extends Session {
  context: BrowserContext;
  host: BrowserHost;
  /** Moves a campaign to another user without the app's knowledge. */
  giveAway(cid: number): void;
}

export interface BrowserSessionOptions extends SessionOptions {
  dataFolder?: string;
  /** The network access of pictures. In a test it reaches the loopback interface only. */
  pictureNetwork?: Partial<PictureNetwork>;
  /** The path at which a policy of the administrator is looked up. */
  policyPlace?: PolicyPlace;
}

export interface BrowserSessions extends Sessions {
  startSession(options?: BrowserSessionOptions): Promise<BrowserSession>;
  /** Returns the Chromium of the sessions. */
  browser(): Promise<Browser>;
}

/** Prepares sessions. Each session is a browser host in this process, with its own profile in the worker's Chromium. */
export function prepareBrowserSessions(choice: ChromiumChoice = {}): BrowserSessions {
  const browser = (): Promise<Browser> => workerChromium(choice);
  return {
    browser,
    async startSession(options = {}) {
      const dataFolder = options.dataFolder ?? (await sessionFolder(options));
      const faults = createFaults(options.faults);
      const service: { backend?: Backend } = {};
      const start = (): Promise<BrowserHost> =>
        startBrowserHost({
          dataFolder,
          pages: builtPages(fileURLToPath(new URL('../../../../out/renderer', import.meta.url))),
          version: '0.1.0',
          faults,
          timeouts: { requestMs: options.requestMs ?? 15_000 },
          ...(options.demoCampaigns !== undefined && { demoCampaigns: options.demoCampaigns }),
          ...(options.clock && { clock: options.clock }),
          ...(options.offersFirstStart && { offersFirstStart: true }),
          ...(options.training && { training: options.training }),
          ...(options.pictureNetwork && { pictureNetwork: options.pictureNetwork }),
          ...(options.policyPlace && { policyPlace: options.policyPlace }),
          onDemoService: (backend) => void (service.backend = backend),
        });
      const host = await start();
      onTestFinished(() => host.dispose());
      const { context, complaints } = await openContext(await browser(), options);
      const earlier: string[] = [];
      const app = appDriver(await openApp(context, host.address()));
      if (service.backend === undefined) throw new Error('The core made no Demo service');
      const second = createSecondClient(service.backend, host.core.info.serviceUrl);
      return {
        app,
        context,
        host,
        faults,
        second,
        dataFolder,
        startTraining: async () => appDriver(await openApp(context, await trainingAddress(app.page))),
        giveAway: (cid) => giveCampaignAway(dataFolder, cid),
        complaints: async () => [...earlier, ...(await complaints())],
        loseCore: () => host.dispose(),
        async restartCore(meanwhile) {
          // The end of the core may cut off a request of these pages, which would or would not be a complaint by
          // chance. So complaints are read before.
          earlier.push(...(await complaints()));
          await Promise.all(context.pages().map((page) => page.close()));
          await host.dispose();
          meanwhile?.();
          const next = await start();
          onTestFinished(() => next.dispose());
          return appDriver(await openApp(context, next.address()));
        },
      };
    },
    async startMortalSession(death) {
      const dataFolder = tempFolder();
      const { app, child } = await startHostProcess(await browser(), dataFolder, death);
      return {
        app,
        died: () =>
          inTime(
            'The end of the host',
            child.ended.then(() => undefined),
          ),
        back: async () => (await startHostProcess(await browser(), dataFolder, 'never')).app,
      };
    },
  };
}

async function startHostProcess(
  browser: Browser,
  dataFolder: string,
  death: string,
): Promise<{ child: Child; app: AppDriver }> {
  const program = new URL('../../../servers/host-process.ts', import.meta.url);
  const child = startChild(program, [dataFolder, death]);
  onTestFinished(() => child.kill());
  const { context } = await openContext(browser, {});
  return { child, app: appDriver(await openApp(context, await child.line())) };
}
