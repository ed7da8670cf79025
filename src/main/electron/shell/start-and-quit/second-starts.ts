import { app } from 'electron';

/** The only argument of a second start that has a meaning: an installer asks the running app to quit, and waits until it has ended. */
const quitForUpdate = '--quit-for-update';

/** Longer than the core needs to finish its write and end, which is at most 20 seconds. */
const endLimitMs = 25_000;

const lookEveryMs = 250;

interface StartNotice {
  quits: boolean;
}

export function isForUpdate(args: readonly string[] = process.argv): boolean {
  return args.includes(quitForUpdate);
}

export function takeInstanceLock(quits: boolean): boolean {
  const notice: StartNotice = { quits };
  return app.requestSingleInstanceLock({ ...notice });
}

export async function waitForOtherToEnd(
  take: () => boolean = () => takeInstanceLock(true),
): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < endLimitMs; waitedMs += lookEveryMs) {
    if (take()) return true;
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
  return false;
}

/** Focuses the window after a second start, or quits the app if an installer started it. Ignores other arguments. */
export function setUpSecondStarts({ focus, quit }: { focus(): void; quit(): void }): void {
  app.on('second-instance', (_event, _args, _folder, notice) => {
    if ((notice as Partial<StartNotice> | null)?.quits === true) quit();
    else focus();
  });
  app.on('activate', focus);
  const opened = (event: { preventDefault(): void }): void => {
    event.preventDefault();
    focus();
  };
  app.on('open-url', opened);
  app.on('open-file', opened);
}
