import { z } from 'zod';
import {
  callHandler,
  offsetSchema,
  handlersBy,
  type InputOf,
  loadedPictureSchema,
  type OutputOf,
  proposalSchema,
  request,
  shownFormatsSchema,
  targetPageSchema,
} from '../app-api/index.ts';
import type { ErrorCode } from '../errors/index.ts';
import { atMost } from '../lib/inert-text.ts';

/** Milliseconds for which the buttons stay disabled after a confirmation appears, changes or regains the focus. */
export const armingDelayMs = 500;

/** A change that was decided in a review, with its outcome so far. */
export const decidedChangeSchema = proposalSchema
  .pick({ id: true, operation: true, state: true, title: true, outcome: true, replacedBy: true })
  .extend({
    canUndo: z.boolean(),
    /** The states of the changes of a batch; empty for any other change. */
    members: z.array(proposalSchema.pick({ state: true })),
  });

const sealSchema = z.object({ seq: z.int(), hash: z.string() });

export type LedgerSeal = z.infer<typeof sealSchema>;

export type DecidedChange = z.infer<typeof decidedChangeSchema>;

/** Progress of a review, in changes; a batch counts all its members. `from` to `to` is the current position. */
export const reviewSchema = z.object({
  from: z.int(),
  to: z.int(),
  total: z.int(),
  approved: z.int(),
  denied: z.int(),
  postponed: z.int(),
  waiting: z.int(),
  hasPrevious: z.boolean(),
  hasNext: z.boolean(),
  /** Number of waiting changes to decide together, the current one included. 0 if it must be decided alone. */
  identical: z.int(),
  /** True if the current change is a batch whose members can be shown one by one. */
  canPart: z.boolean(),
  /** Number of undecided changes that nothing warns of. They come last. */
  withoutWarning: z.int(),
  /** Decided changes, the latest first: the last three, or all of them at the end of the review. */
  decided: z.array(decidedChangeSchema),
  seal: sealSchema.exactOptional(),
});

export type ReviewProgress = z.infer<typeof reviewSchema>;

export const displaySchema = z.object({
  displayId: z.string(),
  /** Random and new for each display. The decision must return it. Never part of a URL. */
  nonce: z.string(),
  fingerprint: z.string(),
  proposal: proposalSchema,
  formats: shownFormatsSchema,
  review: reviewSchema.optional(),
});

export type Display = z.infer<typeof displaySchema>;

export const seenSchema = z.object({ displayId: z.string(), nonce: z.string() });

export type Seen = z.infer<typeof seenSchema>;

/**
 * `together` shows identical changes as one batch, as other steps also do; `singly` shows the members of a batch one by one.
 * `later` postpones the current change. `undo` proposes to undo a change that was decided in this review. The request names
 * the current display, or the one decided last.
 */
export const stepSchema = z.discriminatedUnion('to', [
  seenSchema.extend({ to: z.enum(['together', 'singly', 'next', 'previous', 'later']) }),
  seenSchema.extend({ to: z.literal('undo'), proposalId: z.string() }),
]);

export type Step = z.infer<typeof stepSchema>;

export const steppedSchema = z.object({ display: displaySchema.nullable(), review: reviewSchema });

export type Stepped = z.infer<typeof steppedSchema>;

export const decisionSchema = z.object({
  displayId: z.string(),
  nonce: z.string(),
  fingerprint: z.string(),
  decision: z.enum(['approve', 'deny']),
  reason: z
    .string()
    .refine(...atMost(500))
    .nullable(),
  typed: z.string().max(100).nullable(),
  /** Answers as soon as the decision is recorded, with the next change of the review. Has no effect without a review. */
  continueReview: z.literal(true).exactOptional(),
});

export type Decision = z.infer<typeof decisionSchema>;

/** Failures of `decide` after which the same display can be answered again, because nothing has been decided. */
export const answerableCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'confirmation_too_early',
  'typed_value_wrong',
  'campaign_locked',
  'approval_ended',
  'storage_failed',
  'disk_full',
  'disk_read_only',
]);

/** Failures of `decide` and `step` if the change has ended. Continue the review with `step`. */
export const endedCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'proposal_not_waiting',
  'proposal_expired',
]);

export const decisionResultSchema = z.object({
  proposal: proposalSchema,
  again: displaySchema.nullable(),
  review: reviewSchema.optional(),
  /** Present if the review goes on before this proposal has settled. Its outcome is part of the review's progress. */
  next: steppedSchema.exactOptional(),
  seal: sealSchema.exactOptional(),
});

export type DecisionResult = z.infer<typeof decisionResultSchema>;

/**
 * The host's side: shows and hides the confirmation. The core gets it as a constructor argument only, so no request can
 * reach it.
 */
export interface Confirmer {
  readonly via: 'desktop' | 'browser' | 'terminal';
  /** Shows the proposal to the person. Returns the one-time address to open if the host cannot open a window itself. */
  show(display: Display): Promise<{ address: string | null }>;
  /**
   * Shows an agent's proposal without taking the focus, behind the current one. A host without this function shows it
   * only when asked.
   */
  announce?(display: Display): void;
  hide(displayId: string): void;
}

export const noInput = z.object({});

export const noOutput = z.unknown();

export const displayApi = {
  /**
   * Restarts the arming delay of a display. The first call records that it was shown. Fails with `display_unknown`, or
   * as the ledger does.
   */
  seen: request(seenSchema, noOutput),
  /**
   * The current proposal of a display. The first call records that it was shown. If the proposal ended without a decision, a
   * review continues from there with `step`. Fails as `seen` does.
   */
  look: request(seenSchema, displaySchema),
  /**
   * Loads a picture that the current proposal names. Every other address is refused. Fails as `look` does, or as
   * `pictures.load` of the app API.
   */
  picture: request(seenSchema.extend({ url: z.string() }), loadedPictureSchema),
  /** A page of targets, if the proposal has `listed`. Fails as `look` does. */
  targets: request(seenSchema.extend({ from: offsetSchema }), targetPageSchema),
  /**
   * Decides the proposal. Resolves when it has settled, or with `continueReview` when the decision is recorded. Fails with
   * `display_unknown`, `fingerprint_mismatch`, or a code of `answerableCodes` or `endedCodes`.
   */
  decide: request(decisionSchema, decisionResultSchema),
  /**
   * Prepares the change again after the service's approval ended. Fails as `proposals.prepareAgain` does, or with
   * `display_unknown`.
   */
  prepareAgain: request(seenSchema, displaySchema),
  /**
   * Proposes to undo the write of this display. Possible once, after the approved write was read back. Fails as
   * `proposals.undo` does, or with `display_unknown`.
   */
  undo: request(seenSchema, displaySchema),
  /**
   * Replaces the display with another, which has its own arming delay. Fails with `display_unknown`,
   * `confirmation_too_early`, `proposal_not_waiting` or `batch_unequal`.
   */
  step: request(stepSchema, steppedSchema),
  /** The progress of a review that has no current display. Fails with `display_unknown`. */
  progress: request(seenSchema, reviewSchema),
};

/** Requests from the confirmation's host to its core. Pages have no access to them. */
export const confirmationApi = {
  ...displayApi,
  /**
   * Closes the confirmation without a decision. The proposal stays in the list and is not shown again by itself. Fails
   * with `display_unknown`.
   */
  postpone: request(seenSchema, noOutput),
};

type ConfirmationApi = typeof confirmationApi;

type Immediate = 'seen' | 'look' | 'targets' | 'progress' | 'postpone';

export type ConfirmationPort = {
  [R in keyof ConfirmationApi]: (
    input: InputOf<ConfirmationApi, R>,
  ) => R extends Immediate ? OutputOf<ConfirmationApi, R> : Promise<OutputOf<ConfirmationApi, R>>;
};

/**
 * Returns a port that passes each request to the port that `current` returns at that moment. A request fails if
 * `current` throws.
 */
export function portTo(current: () => ConfirmationPort): ConfirmationPort {
  return {
    ...handlersBy(confirmationApi, async (name, input) => callHandler(current(), name, input)),
    seen: (seen) => current().seen(seen),
    look: (seen) => current().look(seen),
    targets: (ask) => current().targets(ask),
    progress: (seen) => current().progress(seen),
    postpone: (seen) => current().postpone(seen),
  };
}

/** Requests of the confirmation page to its host. They can reach only the current display. */
export const confirmApi = {
  /** Returns the current display. Fails with `display_unknown` if there is none to decide. */
  open: request(noInput, displaySchema),
  ...displayApi,
  close: request(noInput, noOutput),
};

export type ConfirmApi = typeof confirmApi;
export type ConfirmRequest = keyof ConfirmApi;

/** The body that a page of the browser host sends to `POST /session`: the one-time ticket from its address. */
export const ticketSchema = z.object({ ticket: z.string().min(1).max(200) });
