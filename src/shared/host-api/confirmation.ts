import { z } from 'zod';
import {
  callHandler,
  fromSchema,
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

/** Time for which the buttons stay unarmed after a showing appears, changes or regains the focus, in milliseconds. */
export const armingDelayMs = 500;

/** How far a person has come through the changes of one profile that wait; every number counts changes, a batch as many as it has. */
export const reviewSchema = z.object({
  from: z.int(),
  to: z.int(),
  total: z.int(),
  approved: z.int(),
  denied: z.int(),
  putAway: z.int(),
  waiting: z.int(),
  hasPrevious: z.boolean(),
  hasNext: z.boolean(),
  /** Changes that one operand explains, the shown one included; 0 where it is decided alone. */
  identical: z.int(),
});

export type ReviewProgress = z.infer<typeof reviewSchema>;

export const showingSchema = z.object({
  showingId: z.string(),
  /** Random, made per showing; comes back with the decision. Never in a URL. */
  nonce: z.string(),
  fingerprint: z.string(),
  proposal: proposalSchema,
  formats: shownFormatsSchema,
  review: reviewSchema.optional(),
});

export type Showing = z.infer<typeof showingSchema>;

export const seenSchema = z.object({ showingId: z.string(), nonce: z.string() });

export type Seen = z.infer<typeof seenSchema>;

/** `together` shows identical changes as one batch; `later` puts the shown change away. Names the current or the last decided showing. */
export const turnSchema = seenSchema.extend({ to: z.enum(['together', 'next', 'previous', 'later']) });

export type Turn = z.infer<typeof turnSchema>;

export const turnedSchema = z.object({ showing: showingSchema.nullable(), review: reviewSchema });

export type Turned = z.infer<typeof turnedSchema>;

export const decisionSchema = z.object({
  showingId: z.string(),
  nonce: z.string(),
  fingerprint: z.string(),
  decision: z.enum(['approve', 'deny']),
  reason: z
    .string()
    .refine(...atMost(500))
    .nullable(),
  typed: z.string().max(100).nullable(),
});

export type Decision = z.infer<typeof decisionSchema>;

/** The failures of `decide` after which the same question may be answered once more: with each of them nothing has been decided. */
export const answerableCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'confirmation_too_early',
  'typed_value_wrong',
  'campaign_locked',
  'approval_ended',
  'storage_failed',
  'disk_full',
  'disk_read_only',
]);

export const decisionResultSchema = z.object({
  proposal: proposalSchema,
  again: showingSchema.nullable(),
  review: reviewSchema.optional(),
});

export type DecisionResult = z.infer<typeof decisionResultSchema>;

/** The host's side: it shows and hides the confirmation. The confirmer is a constructor argument of the core and nothing else. */
export interface Confirmer {
  readonly via: 'desktop' | 'browser' | 'terminal';
  /** Shows the proposal to the person. Returns the one-time address to open where the host cannot open a window itself. */
  show(showing: Showing): Promise<{ address: string | null }>;
  /** Shows an agent's proposal without taking the focus, behind the current one. A host without it waits to be asked. */
  announce?(showing: Showing): void;
  hide(showingId: string): void;
}

export const noInput = z.object({});

export const noOutput = z.unknown();

export const showingApi = {
  /** Starts the arming delay of a showing again; the first call puts on record that it was shown. Fails with `showing_unknown`, or as the ledger does. */
  seen: request(seenSchema, noOutput),
  /** The current proposal of an open showing; the first call records that it was shown. Fails as `seen` does. */
  look: request(seenSchema, showingSchema),
  /** Loads a picture that the shown proposal names, and no other. Fails as `look` does, and as `pictures.load` of the app API. */
  picture: request(seenSchema.extend({ url: z.string() }), loadedPictureSchema),
  /** A page of the campaigns of a shown proposal with `listed`. Fails as `look` does. */
  targets: request(seenSchema.extend({ from: fromSchema }), targetPageSchema),
  /**
   * Resolves when settled. Fails with `showing_unknown`, `fingerprint_mismatch`, `confirmation_too_early`, `typed_value_wrong`,
   * `proposal_expired`.
   */
  decide: request(decisionSchema, decisionResultSchema),
  /** Prepares the change again after the service's approval ended. Fails as `proposals.prepareAgain`, or with `showing_unknown`. */
  prepareAgain: request(seenSchema, showingSchema),
  /**
   * Proposes to take back what this showing wrote, once, after an approval that was read back. Fails as `proposals.undo`, or with
   * `showing_unknown`.
   */
  undo: request(seenSchema, showingSchema),
  /**
   * Replaces the showing by another one, which arms anew. Fails with `showing_unknown`, `confirmation_too_early`, `proposal_not_waiting`,
   * `batch_unequal`.
   */
  turn: request(turnSchema, turnedSchema),
};

/** Requests of a confirmer's host to its core, and of nobody else. */
export const confirmationApi = {
  ...showingApi,
  /** Closed without a decision: the proposal waits in the list, and nothing comes forward by itself. Fails with `showing_unknown`. */
  putAway: request(seenSchema, noOutput),
};

type ConfirmationApi = typeof confirmationApi;

type Immediate = 'seen' | 'look' | 'targets' | 'putAway';

export type ConfirmationPort = {
  [R in keyof ConfirmationApi]: (
    input: InputOf<ConfirmationApi, R>,
  ) => R extends Immediate ? OutputOf<ConfirmationApi, R> : Promise<OutputOf<ConfirmationApi, R>>;
};

/** Returns a port that passes each request on to the port of that moment. A request fails as `current` does. */
export function portTo(current: () => ConfirmationPort): ConfirmationPort {
  return {
    ...handlersBy(confirmationApi, async (name, input) => callHandler(current(), name, input)),
    seen: (seen) => current().seen(seen),
    look: (seen) => current().look(seen),
    targets: (ask) => current().targets(ask),
    putAway: (seen) => current().putAway(seen),
  };
}

/** Requests of the confirmation's page to its host. They reach the current showing and no other. */
export const confirmApi = {
  /** Returns the current showing. Fails with `showing_unknown` if there is none to decide. */
  open: request(noInput, showingSchema),
  ...showingApi,
  close: request(noInput, noOutput),
};

export type ConfirmApi = typeof confirmApi;
export type ConfirmRequest = keyof ConfirmApi;

/** The body that a page of the browser host sends to `POST /session`: the one-time ticket of its address. */
export const ticketSchema = z.object({ ticket: z.string().min(1).max(200) });
