import type { ElectronApplication, Page } from 'playwright';
import { afterAll, beforeAll } from 'vitest';
import { skipFirstStart } from '../../e2e/driver/app.ts';
import { electronForThisFile, type ElectronBed } from '../../servers/electron-runtime.ts';
import { untilFound } from '#test/setup/eventually.ts';

/** The built app with the product's own entry and without any test double. */
export interface BootedApp {
  readonly electron: ElectronBed;
  readonly userData: string;
  readonly application: ElectronApplication;
  /** The app's page, with the first campaigns loaded. */
  readonly page: Page;
  /** The hidden page of the confirmation. */
  readonly confirmPage: Page;
  /** Ends the app and starts it again on the same folder with these arguments. */
  restart(args?: string[]): Promise<void>;
}

/**
 * Starts one built app for all tests of a file; `env` is called when the app starts. Call this at the top level of a test
 * file.
 */
export function bootedForThisFile(env: () => Record<string, string> = () => ({})): BootedApp {
  const electron = electronForThisFile();
  let now: { userData: string; application: ElectronApplication; page: Page; confirmPage: Page } | undefined;
  const running = (): NonNullable<typeof now> => {
    if (now === undefined) throw new Error('The app of this file is there only while its tests run');
    return now;
  };

  async function boot(userData: string, isNew: boolean, args: string[] = []): Promise<void> {
    const application = await electron.launch({ userData, env: env(), args });
    const page = await pageAt(application, 'countersign://app/');
    await page.getByText('400 campaigns', { exact: true }).waitFor();
    if (isNew) await skipFirstStart(page);
    now = { userData, application, page, confirmPage: await pageAt(application, 'countersign://confirm/') };
  }

  beforeAll(() => boot(electron.newFolder(), true));
  afterAll(async () => now?.application.close());

  return {
    electron,
    get userData() {
      return running().userData;
    },
    get application() {
      return running().application;
    },
    get page() {
      return running().page;
    },
    get confirmPage() {
      return running().confirmPage;
    },
    async restart(args) {
      const { application, userData } = running();
      await application.close();
      await boot(userData, false, args);
    },
  };
}

async function pageAt(application: ElectronApplication, url: string): Promise<Page> {
  return untilFound(() => application.windows().find((page) => page.url().startsWith(url)));
}

/** Everything that a page could have changed: windows, their bounds, and the URLs of their frames. */
export function worldOf({ application }: Pick<BootedApp, 'application'>): Promise<unknown> {
  return application.evaluate(({ BrowserWindow, webContents }) => ({
    windows: BrowserWindow.getAllWindows()
      .map(({ webContents: contents }) => [
        contents.getURL(),
        contents.mainFrame.framesInSubtree
          .map((frame) => frame.url)
          .filter((url) => url !== '' && url !== 'about:blank'),
      ])
      .toSorted(),
    contents: webContents.getAllWebContents().length,
  }));
}

/** Reads the text of the app's window through the main process, because the driver hangs after a navigation was denied. */
export function textOf({ application }: Pick<BootedApp, 'application'>): Promise<string> {
  return application.evaluate(async ({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows().find((one) =>
      one.webContents.getURL().startsWith('countersign://app/'),
    )?.webContents;
    if (!contents || contents.isCrashed() || contents.isLoading()) return '';
    return (await contents.executeJavaScript('document.body.innerText')) as string;
  });
}

/** Native dialogs that were shown, and addresses that were passed to the system's browser. */
export interface Outside {
  asked: string[];
  opened: string[];
}

/**
 * From now on answers every native dialog with this button and does not open the system's browser. Returns a function that
 * reads what happened.
 */
export async function answerDialogs(
  { application }: Pick<BootedApp, 'application'>,
  response: number,
): Promise<() => Promise<Outside>> {
  await application.evaluate(({ dialog, shell }, response) => {
    const outside: Outside = { asked: [], opened: [] };
    Object.assign(globalThis, { outside });
    dialog.showMessageBox = (...args: unknown[]) => {
      const { message, detail = '', defaultId } = args.at(-1) as Electron.MessageBoxOptions;
      outside.asked.push(`${message}\n${detail}\n${defaultId}`);
      return Promise.resolve({ response, checkboxChecked: false });
    };
    shell.openExternal = async (url: string) => void outside.opened.push(url);
  }, response);
  return () => application.evaluate(() => (globalThis as unknown as { outside: Outside }).outside);
}
