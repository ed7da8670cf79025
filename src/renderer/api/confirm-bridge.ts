import type { LoadedPicture, TargetPage } from '#shared/app-api/index.ts';
import type { Decision, DecisionResult, Seen, Showing, Turn, Turned } from '#shared/host-api/index.ts';

/**
 * The requests of the confirmation page, about its own showing only. Every call fails with an `AppError`;
 * `core_unreachable` means that no answer came.
 */
export interface ConfirmBridge {
  /**
   * The showing that this window is for: that of its one-time ticket, of a reloaded page, or the active one. Fails with
   * `not_signed_in`, or with `showing_unknown` when there is none, or the window was reused before the answer came.
   */
  open(): Promise<Showing>;
  /** The current state of the showing. */
  look(showing: Showing): Promise<Showing>;
  /** Tells the core that the showing appeared, changed or regained the focus; the arming delay starts again there too. */
  seen(showing: Showing): Promise<void>;
  /** Loads a picture that the proposal of the showing names. Fails as `pictures.load` of the app API. */
  picture(showing: Showing, url: string): Promise<LoadedPicture>;
  /** Reads a page of the campaigns that the proposal of the showing lists. */
  targets(showing: Showing, from: number): Promise<TargetPage>;
  /** Has the change prepared again, whose approval by the service has ended. Resolves with the showing that takes its place. */
  prepareAgain(showing: Showing): Promise<Showing>;
  /** Proposes to take back what the showing has written. Resolves with the showing of the undo, which takes its place. */
  undo(showing: Showing): Promise<Showing>;
  /** Goes on to another change that waits: from the question on screen, or from the outcome of this showing. */
  turn(from: Seen, to: Turn['to']): Promise<Turned>;
  /** Resolves when the proposal is settled, which may take as long as the service does. */
  decide(decision: Decision): Promise<DecisionResult>;
  /** The person has read the outcome: the window closes, or is reused for what waits behind it. */
  close(): Promise<void>;
  /** Calls back when the window is reused for another showing. Returns the unsubscribe function. */
  onReopened(listener: () => void): () => void;
  /** Calls back with how many showings wait behind this one, where the host shows one after the other. */
  onWaiting(listener: (count: number) => void): () => void;
}
