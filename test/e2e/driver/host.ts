import type { Page } from 'playwright';
import type { AppRequest } from '#shared/app-api/index.ts';

/** Functions of a host for the driver: all that differs between a browser's pages and the desktop's windows. */
export interface AppHost {
  /** The app's page. */
  page: Page;
  /** Returns the core's answer to a request of this page, its error included. */
  ask(request: AppRequest, input: object): Promise<unknown>;
  /** The person turns to the app's window. */
  turnTo(): Promise<void>;
  /** Presses what opens the confirmation, and gives its window once the new question stands in it. */
  confirmationAfter(press: () => Promise<void>): Promise<ConfirmationHost>;
  /** Asks for the confirmation of a proposal, and gives a window that loses and regains the focus as a person's windows do. */
  bringUp(proposalId: string): Promise<ConfirmationHost>;
}

/** The confirmation window as its host has it. */
export interface ConfirmationHost {
  page: Page;
  /** The window loses the focus to the app's, and regains it. */
  refocus(): Promise<void>;
  /** The person closes the window. */
  close(): Promise<void>;
  /** True when no person can see the window any more. */
  isGone(): Promise<boolean>;
  /** From now on the core is not told what the person sees, until `release`. */
  holdSeen(): Promise<{ release(): Promise<void> }>;
  /** How many decisions have left the window. */
  decisions(): number;
}
