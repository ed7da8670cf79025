import { app } from 'electron';

/** The one argument of a start that means something: an installer asks the running app to quit, and waits for its end. */
const quitForUpdate = '--quit-for-update';

/** Time limit for the running app to finish its write and end, in milliseconds; the core takes 20 seconds at most. */
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

/** Focuses the window after a second start; a second start by an installer quits the app. Other arguments are ignored. */
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
