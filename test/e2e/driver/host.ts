import type { Page } from 'playwright';
import type { AppRequest } from '#shared/app-api/index.ts';

/** The driver's functions that differ between a browser's pages and the desktop's windows. */
export interface AppHost {
  /** The app's page. */
  page: Page;
  /** Returns the core's answer to a request of this page, or its error. */
  ask(request: AppRequest, input: object): Promise<unknown>;
  /** Focuses the app's window as a person does. */
  turnTo(): Promise<void>;
  /** Calls `press`, which opens the confirmation, and returns its window once it shows the new proposal. */
  confirmationAfter(press: () => Promise<void>): Promise<ConfirmationHost>;
  /** Requests the confirmation of a proposal, and returns a window that loses and regains the focus like a person's window. */
  bringUp(proposalId: string): Promise<ConfirmationHost>;
}

/** The confirmation window in one host. */
export interface ConfirmationHost {
  page: Page;
  /** Makes the window lose the focus to the app's window, and regain it. */
  refocus(): Promise<void>;
  /** Closes the window as a person does. */
  close(): Promise<void>;
  /** True if no person can see the window any more. */
  isGone(): Promise<boolean>;
  /** From now on the core is not told what the person sees, until `release`. */
  holdSeen(): Promise<{ release(): Promise<void> }>;
  /** Returns the number of decisions that the window has sent. */
  decisions(): number;
}
