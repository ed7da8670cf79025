import type { AppPush } from '#shared/host-api/index.ts';

/** What is used of the app's window here. */
export interface AppPage {
  /** Its contents, for comparison with a sender; null while there is no window. */
  webContents(): object | null;
  /** Tells its page, if there is one. */
  send(push: AppPush, payload: unknown): void;
}
