import { expect, inject } from 'vitest';
import type { ElectronApplication, Page } from 'playwright';
import type { AppRequest } from '#shared/app-api/index.ts';
import { type AppPreload, type DesktopOrigin, desktopOrigins } from '#shared/host-api/index.ts';
import type { ElectronBed } from '#test/servers/electron-runtime.ts';
import { giveRealFocus } from '#test/servers/real-focus.ts';
import { serveReachableCore, type ReachableCore } from './reachable-core.ts';
import { untilFound } from '#test/setup/eventually.ts';

/** The state of a window as the main process reports it. */
export interface WindowState {
  visible: boolean;
  focused: boolean;
}

/** The running app with its windows, as a person sees them. */
export interface DesktopScene {
  electron: ElectronApplication;
  core: ReachableCore;
  appPage: Page;
  confirmPage: Page;
  /** A missing window is neither visible nor focused. */
  state(name: DesktopOrigin): Promise<WindowState>;
  /** Focuses the window as a person does. */
  focus(name: DesktopOrigin): Promise<void>;
  /** Waits for the page of a window. */
  pageAt(name: DesktopOrigin): Promise<Page>;
  closeConfirmation(): Promise<void>;
  /** Proposes a new name for the first campaigns and returns the ids of the proposals. */
  propose(count: number): Promise<string[]>;
  /** Clicks Review in the app's page. */
  review(proposalId: string): Promise<void>;
  /** Hides the confirmation and forgets recorded decisions. */
  postpone(): Promise<void>;
  close(): Promise<void>;
}

/** Starts the app, by default with the built training core. `env` is added to its environment. */
export async function startDesktopScene(
  bed: ElectronBed,
  training?: string,
  env: Record<string, string> = {},
): Promise<DesktopScene> {
  const overrides = { dataFolder: bed.newCoreFolder(), demoCampaigns: 40 };
  const core = await serveReachableCore(bed.newFolder(), { overrides });
  bed.stage(inject('hostBundles'), 'out/main');
  const args = training === undefined ? [core.path] : [training, core.path];
  const electron = await bed.launch({ main: 'out/main/test-main.cjs', args, env });
  const appPage = await pageAt(electron, 'app');
  await appPage.getByText('service ready').waitFor();
  const confirmPage = await pageAt(electron, 'confirm');

  const ask = (request: AppRequest, input: object): Promise<unknown> =>
    appPage.evaluate(
      async ({ request, input }) => {
        const { ask } = (window as unknown as { countersign: AppPreload }).countersign;
        const answer = await ask(request, input);
        if ('error' in answer) throw new Error(answer.error.code);
        return answer.output;
      },
      { request, input },
    );

  const command = (name: DesktopOrigin, verb: 'focus' | 'close'): Promise<void> =>
    electron.evaluate(
      ({ BrowserWindow }, { origin, verb }) => {
        const found = BrowserWindow.getAllWindows().find(({ webContents }) =>
          webContents.getURL().startsWith(`${origin}/`),
        );
        found?.[verb]();
      },
      { origin: desktopOrigins[name], verb },
    );

  const state = (name: DesktopOrigin): Promise<WindowState> =>
    electron.evaluate(({ BrowserWindow }, origin) => {
      const found = BrowserWindow.getAllWindows().find(({ webContents }) =>
        webContents.getURL().startsWith(`${origin}/`),
      );
      return { visible: found?.isVisible() ?? false, focused: found?.isFocused() ?? false };
    }, desktopOrigins[name]);

  return {
    electron,
    core,
    appPage,
    confirmPage,
    state,
    async focus(name) {
      await command(name, 'focus');
      await expect.poll(() => state(name)).toEqual({ visible: true, focused: true });
    },
    pageAt: (name) => pageAt(electron, name),
    closeConfirmation: () => command('confirm', 'close'),
    async propose(count) {
      const { rows } = (await ask('campaigns.page', firstPage(50))) as {
        rows: { cid: number; name: string }[];
      };
      const { campaigns } = (await ask('drafts.get', { cids: null })) as { campaigns: { cid: number }[] };
      const free = rows.filter(({ cid }) => !campaigns.some((one) => one.cid === cid));
      const ids: string[] = [];
      for (const { cid, name } of free.slice(0, count)) {
        const draft = { from: name, operations: [{ kind: 'set', value: `${name}, renamed` }] };
        await ask('drafts.change', { title: 'A change', changes: [{ cid, field: 'name', draft }] });
        const { proposed } = (await ask('drafts.propose', { cids: [cid] })) as {
          proposed: { proposalId: string }[];
        };
        ids.push(proposed[0]?.proposalId ?? '');
      }
      return ids;
    },
    review: async (id) => void (await ask('proposals.review', { id })),
    async postpone() {
      await command('confirm', 'close');
      await expect.poll(async () => (await state('confirm')).visible).toBe(false);
      core.decisions.length = 0;
    },
    async close() {
      await electron.close();
      await core.close();
    },
  };
}

const firstPage = (perPage: number): object => ({
  filter: { query: '', status: 1, types: [], sort: 'cid', order: 'desc' },
  page: 1,
  perPage,
});

async function pageAt(electron: ElectronApplication, name: DesktopOrigin): Promise<Page> {
  const address = `${desktopOrigins[name]}/`;
  return untilFound(async () => {
    const page = electron.windows().find((found) => found.url().startsWith(address));
    // The window that is found may be closing while the next window opens.
    return (
      page !== undefined &&
      (await giveRealFocus(page).then(
        () => page,
        () => null,
      ))
    );
  });
}
