import { expect } from 'vitest';
import type { ElectronApplication, Page } from 'playwright';
import { desktopOrigins } from '#shared/host-api/index.ts';
import { giveRealFocus } from '#test/servers/real-focus.ts';
import { eventually, inTime, untilFound } from '#test/setup/eventually.ts';

/** One of the app's windows, driven through the main process. */
export interface DesktopWindow {
  page: Page;
  /** Focuses the window as a person does; resolves when its page has the focus. */
  focus(): Promise<void>;
  isVisible(): Promise<boolean>;
  /** Closes the window with its own button, as a person does. */
  close(): Promise<void>;
  setContentSize(size: { width: number; height: number }): Promise<void>;
}

/** Waits for the window with this origin of the app. */
export async function windowAt(
  electron: ElectronApplication,
  name: keyof typeof desktopOrigins,
): Promise<DesktopWindow> {
  const address = `${desktopOrigins[name]}/`;
  const page: Page = await untilFound(() =>
    electron.windows().find((found) => found.url().startsWith(address)),
  );
  await inTime(`The ${name} window's real focus`, giveRealFocus(page));
  await inTime(`The ${name} window's reduced motion`, page.emulateMedia({ reducedMotion: 'reduce' }));

  type Verb = 'blur' | 'focus' | 'isVisible' | 'close';
  const call = (verb: Verb): Promise<unknown> =>
    inTime(
      `The answer to ${verb}`,
      electron.evaluate(
        ({ BrowserWindow }, { address, verb }) =>
          BrowserWindow.getAllWindows()
            .find(({ webContents }) => webContents.getURL().startsWith(address))
            ?.[verb](),
        { address, verb },
      ),
    );
  return {
    page,
    async focus() {
      await expect
        .poll(async () => {
          // Without a window manager, a window may still believe that it has the focus after another window has opened
          // by itself.
          if (!(await page.evaluate(() => document.hasFocus()))) {
            await call('blur');
            await call('focus');
          }
          return page.evaluate(() => document.hasFocus());
        })
        .toBe(true);
    },
    isVisible: async () => (await call('isVisible')) === true,
    close: async () => void (await call('close')),
    async setContentSize(size) {
      await electron.evaluate(
        ({ BrowserWindow }, { address, width, height }) =>
          BrowserWindow.getAllWindows()
            .find(({ webContents }) => webContents.getURL().startsWith(address))
            ?.setContentSize(width, height),
        { address, ...size },
      );
      await eventually(async () => expect(await page.evaluate(() => innerWidth)).toBe(size.width));
    },
  };
}
