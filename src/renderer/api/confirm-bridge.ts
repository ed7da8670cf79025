import type { Decision, DecisionResult, Showing } from '#shared/host-api/index.ts';

/**
 * What the confirmation page may ask of its host: nothing but its own showing. Every call fails with an `AppError`;
 * `core_unreachable` means that no answer came.
 */
export interface ConfirmBridge {
  /**
   * Turns the one-time ticket into the showing, or finds the showing of a reloaded page. Fails with `not_signed_in`, or
   * with `showing_unknown` when the window was reused before the answer came.
   */
  open(): Promise<Showing>;
  /** The showing as it stands now. */
  look(showing: Showing): Promise<Showing>;
  /** Tells the core that the showing appeared, changed or regained the focus; the arming delay starts again there too. */
  seen(showing: Showing): Promise<void>;
  /** Resolves when the proposal rests, which may take as long as the service does. */
  decide(decision: Decision): Promise<DecisionResult>;
  /** Calls back when the window is reused for another showing. Returns the way to stop. */
  onReopened(listener: () => void): () => void;
}
