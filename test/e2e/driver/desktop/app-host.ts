import { expect } from 'vitest';
import type { ElectronApplication } from 'playwright';
import { type AppPreload, originNames, type PagePlace, type Display } from '#shared/host-api/index.ts';
import { inTime } from '#test/setup/eventually.ts';
import type { AppHost, ConfirmationHost } from '../host.ts';
import { windowAt, type DesktopWindow } from './windows.ts';

/** The link between the app and its core, as far as a host can observe it. */
export interface Line {
  nextDisplay(): Promise<Display>;
  decisions(): number;
  holdSeen(): { release(): void };
}

/** Drives the app in its own windows. Without `line`, messages on the link cannot be observed. */
export async function desktopHost(
  electron: ElectronApplication,
  line: Line | null,
  place: PagePlace = 'work',
): Promise<AppHost> {
  const names = originNames[place];
  const window = await windowAt(electron, names.app);
  const { page } = window;

  const ask: AppHost['ask'] = (request, input) =>
    inTime(
      `The answer to ${request}`,
      page.evaluate(
        async ({ request, input }) => {
          const { ask } = (window as unknown as { countersign: AppPreload }).countersign;
          const answer = await ask(request, input);
          return 'error' in answer ? answer.error : answer.output;
        },
        { request, input },
      ),
    );

  async function confirmationAfter(press: () => Promise<void>): Promise<ConfirmationHost> {
    // A person who clicks in a window focuses it.
    await window.focus();
    const next = line?.nextDisplay();
    await press();
    const confirmation = await windowAt(electron, names.confirm);
    const display = await next;
    await expect.poll(confirmation.isVisible).toBe(true);
    const question = confirmation.page.getByTitle(display?.fingerprint ?? /^[0-9a-f]{64}$/);
    // The fingerprint is in the closed details.
    await question.first().waitFor({ state: 'attached' });
    // Without a window manager, a window that opened by itself does not get the focus, so the person focuses it.
    await confirmation.focus();
    return confirmationHost({ app: window, confirmation, line });
  }

  return {
    page,
    ask,
    turnTo: window.focus,
    confirmationAfter,
    bringUp: (id) => confirmationAfter(async () => void (await ask('proposals.review', { id }))),
  };
}

interface Windows {
  app: DesktopWindow;
  confirmation: DesktopWindow;
  line: Line | null;
}

function confirmationHost({ app, confirmation, line }: Windows): ConfirmationHost {
  const isGone = async (): Promise<boolean> => !(await confirmation.isVisible());
  return {
    page: confirmation.page,
    async refocus() {
      await app.focus();
      await expect.poll(() => confirmation.page.evaluate(() => document.hasFocus())).toBe(false);
      await confirmation.focus();
    },
    async close() {
      await confirmation.close();
      await expect.poll(isGone).toBe(true);
    },
    isGone,
    async holdSeen() {
      const held = line?.holdSeen();
      return { release: async () => held?.release() };
    },
    decisions: () => line?.decisions() ?? 0,
  };
}
