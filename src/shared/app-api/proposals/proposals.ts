import { z } from 'zod';
import { callEffects, factNames, warningCodes } from '../../wording/index.ts';
import { errorCodes } from '../../errors/index.ts';
import { proposalStates } from '../../proposals/states.ts';
import { maxWaitingMinutes, minWaitingMinutes } from '../../proposals/waiting-time.ts';
import { nothing, recordId as id, request, sentenceSchema, showingRequest } from '../define.ts';
import { creativePictureSchema } from '../campaigns/pictures.ts';
import { profileSchema } from '../profiles/session.ts';
import { beforeAfter, fromSchema, shownProposalSchema, targetPageSchema, targetSchema } from './targets.ts';

export const changeViewSchema = z.object({
  field: z.string(),
  label: z.string(),
  before: z.string(),
  after: z.string(),
  delta: z.string().nullable(),
  factor: z.string().nullable(),
  added: z.array(z.string()),
  removed: z.array(z.string()),
  isNamedInFull: z.literal(true).exactOptional(),
  schedule: z.object({ before: z.array(z.int()), after: z.array(z.int()) }).nullable(),
});

/** One fact of the campaigns that a change touches, in words: made by the core from what it read when it was proposed. */
export const factSchema = z.object({
  fact: z.enum([...factNames, 'lastChange']),
  label: z.string(),
  value: z.string(),
  before: z.string().exactOptional(),
});

const severity = z.enum(['notice', 'warning', 'danger']);

export const warningSchema = z.object({
  code: z.enum(warningCodes),
  severity: severity,
  text: sentenceSchema,
});

export const fieldVerdictSchema = z.object({
  field: z.string(),
  label: z.string(),
  /** `left`: not sent, because it needed nothing any more. */
  verdict: z.enum(['stored', 'normalised', 'different', 'unknown', 'left']),
  sent: z.string(),
  found: z.string(),
});

export const operationNames = [
  'campaign.update',
  'campaign.status',
  /** A call of one of the service's tools: by an agent, or of the app's own for a scheduled task. */
  'tool.call',
  /** Admits an agent: recorded in the app, not at the service. */
  'agent.admit',
  'batch',
] as const;

export type OperationName = (typeof operationNames)[number];

export const askerKind = z.enum(['person', 'agent', 'schedule']);

export const askerSchema = z.object({ kind: askerKind, name: z.string() });

const outcomeSchema = z.object({ code: z.enum(errorCodes), message: sentenceSchema, next: sentenceSchema });

export const batchMemberSchema = z.object({
  id: z.string(),
  fingerprint: z.string(),
  title: sentenceSchema,
  state: z.enum(proposalStates),
  targets: z.array(targetSchema),
  changes: z.array(changeViewSchema),
  quotation: z.string().nullable(),
  perDay: beforeAfter,
  /** True of this change, and not of all: warnings that no line above names it for, and limits of its figures. */
  remarks: z.array(warningSchema.omit({ code: true })),
  outcome: outcomeSchema.nullable(),
});

const argumentPictureSchema = z.object({
  mediaType: z.enum(['image/png', 'image/jpeg', 'image/webp', 'image/gif']),
  /** RFC 4648 §4, as it is sent. */
  base64: z.string(),
});

export type ArgumentPicture = z.infer<typeof argumentPictureSchema>;

export const proposalDetailSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('campaigns') }),
  z.object({
    kind: z.literal('tool'),
    name: z.string(),
    title: z.string().nullable(),
    /** SHA-256 of the pinned definition. */
    definitionHash: z.string(),
    effect: z.enum(callEffects),
    /** The part of it that can be shown: the campaign and every field, the scheduled task, or only its arguments. */
    known: z.enum(['update', 'status', 'campaign', 'task', 'upload', 'arguments']),
    prepared: z.boolean(),
    /** The full arguments, inert. A picture appears as its size and hash. */
    args: z.array(
      z.object({ path: z.string(), value: z.string(), picture: argumentPictureSchema.optional() }),
    ),
  }),
  z.object({
    kind: z.literal('admission'),
    /** Host to which the agent is sent back: `127.0.0.1`, `localhost`, or the host of its address. */
    redirectHost: z.string(),
    words: z.string(),
    scopes: z.array(z.object({ name: z.string(), title: z.string(), allows: z.string() })),
    until: z.string(),
  }),
  z.object({
    kind: z.literal('batch'),
    equally: sentenceSchema,
    members: z.array(batchMemberSchema),
    askedBy: z.array(askerSchema),
    /** Present where all members are changes of status, which read as one: number of campaigns that change. */
    campaignCount: z.int().exactOptional(),
    skipped: z.array(z.object({ what: sentenceSchema, because: sentenceSchema })),
  }),
]);

export type ProposalDetail = z.infer<typeof proposalDetailSchema>;

export const undoSchema = z.object({
  undoes: z.string().nullable(),
  /** The proposal that takes its effect back, or asks for that; null where there is none. */
  undoneBy: z.object({ id: z.string(), state: z.enum(proposalStates) }).nullable(),
  canUndo: z.boolean(),
});

export type UndoView = z.infer<typeof undoSchema>;

export const proposalSchema = z.object({
  id: z.string(),
  operation: z.enum(operationNames),
  state: z.enum(proposalStates),
  title: sentenceSchema,
  profile: profileSchema,
  proposedBy: z.object({
    /** `schedule`: a scheduled task whose time has come, under its own name, which is foreign text. */
    kind: askerKind,
    name: z.string(),
    sinceMs: z.number().nullable(),
    /** The agent's id; null for a person, and for an agent that is not admitted yet. */
    agentId: z.string().nullable(),
  }),
  detail: proposalDetailSchema,
  /** Everything of this profile that waits for a decision, this proposal included; null where it is alone or decided. */
  queue: z
    .object({
      count: z.int(),
      perDay: beforeAfter,
      /** Number of campaigns without a limit before and after, counted apart from the sum; absent for none. */
      alwaysUnlimited: z.int().exactOptional(),
    })
    .nullable(),
  quotation: z.string().nullable(),
  createdAtMs: z.number(),
  expiresAtMs: z.number(),
  /** After this moment the service's approval leaves no time to send: prepare again before approving. Absent if no approval is needed. */
  approvalEndsAtMs: z.number().exactOptional(),
  /** Present while Prepare again may find the same change once more: it expired undecided, or its approval ends. */
  canPrepareAgain: z.literal(true).exactOptional(),
  updatedAtMs: z.number(),
  targets: z.array(targetSchema),
  /** Present where so many campaigns are listed that they are read in pages: then `targets` is empty, as it is in the members. */
  listed: z.object({ campaigns: z.int(), changing: z.int() }).exactOptional(),
  risk: z.object({
    perDay: beforeAfter,
    untilEnd: beforeAfter,
    /** Over how many campaigns the figures are summed: those that change; absent for one. */
    campaignCount: z.int().exactOptional(),
    alwaysUnlimited: z.object({ perDay: z.int(), untilEnd: z.int() }).exactOptional(),
    /** The most dangerous change, where that is not one of the figures: another host, hours, an end. Quiet if it is not worth the largest size. */
    headline: z
      .object({
        label: z.string(),
        /** Absent for a figure that has no other side: the number of campaigns that a call names. */
        before: z.string().exactOptional(),
        after: z.string(),
        /** Where it says more than both sides: `−167 h`, `− BR`. */
        delta: z.string().exactOptional(),
        isQuiet: z.literal(true).exactOptional(),
      })
      .exactOptional(),
    /** For example `×10`; null when the bid does not change. */
    bidFactor: z.string().nullable(),
    notes: z.array(sentenceSchema),
  }),
  warnings: z.array(warningSchema),
  /** A value that the person has to type before Approve arms; null when nothing asks for it. */
  typeToConfirm: z.object({ label: z.string(), value: z.string() }).nullable(),
  changes: z.array(changeViewSchema),
  facts: z.array(factSchema),
  pictures: z.array(creativePictureSchema).exactOptional(),
  unchanged: z.array(z.object({ field: z.string(), label: z.string(), value: z.string() })),
  /** The exact canonical bytes that will be sent, as text. */
  payload: z.string(),
  fingerprint: z.string(),
  undo: undoSchema.exactOptional(),
  /** When this proposal replaces one that was outdated: what moved, and how often this has happened. */
  rebase: z
    .object({
      of: z.string(),
      /** Present where a person had it prepared again, because its time or the service's approval had ended. */
      preparedAgain: z.literal(true).exactOptional(),
      round: z.int(),
      moved: z.array(changeViewSchema),
      /** Fields that change on every read; approving sends the shown value. */
      volatile: z.array(z.string()),
    })
    .nullable(),
  /** When the same field moved: the value it had, mine and theirs. The proposal is stale and blocked. */
  conflict: z.array(
    z.object({
      field: z.string(),
      label: z.string(),
      base: z.string(),
      mine: z.string(),
      theirs: z.string(),
    }),
  ),
  replacedBy: z.string().nullable(),
  verdicts: z.array(fieldVerdictSchema),
  outcome: outcomeSchema.nullable(),
  reason: z.string().nullable(),
  /** When payload, targets, changes and stored verdicts were removed; it cannot be reversed then. Null before. */
  prunedAtMs: z.number().nullable(),
});

export type ProposalView = z.infer<typeof proposalSchema>;

export const proposalSummarySchema = proposalSchema
  .pick({
    id: true,
    operation: true,
    state: true,
    title: true,
    profile: true,
    proposedBy: true,
    createdAtMs: true,
    expiresAtMs: true,
    approvalEndsAtMs: true,
    updatedAtMs: true,
    outcome: true,
    replacedBy: true,
  })
  .extend({
    targetCount: z.int(),
    perDay: beforeAfter,
    worstWarning: severity.nullable(),
    /** Proposals with the same key make an equal change and may be decided together; null for one that is always alone. */
    groupKey: z.string().nullable(),
    /** The effect of the members of such a group, in words: `Lower bids by 10%`. */
    groupTitle: sentenceSchema.nullable(),
    askedBy: z.array(askerSchema).nullable(),
  });

export type ProposalSummary = z.infer<typeof proposalSummarySchema>;

/** The time that a change waits for a decision, in minutes: at least ten, at most a week. */
export const waitingMinutesSchema = z.int().min(minWaitingMinutes).max(maxWaitingMinutes);

/** The proposer of a change, as a filter: of the kind `agent` the one that is named, or null for those that are not admitted yet. */
const proposerSchema = proposalSchema.shape.proposedBy.pick({ kind: true, agentId: true });

export type ProposerFilter = z.infer<typeof proposerSchema>;

const waitingTime = z.object({ minutes: waitingMinutesSchema });

export const proposalsApi = {
  /** `waiting` is everything unsettled, by `order` (newest first, or by risk) and `by`; `past` is newest first. The page begins after `before`. */
  'proposals.list': request(
    z.object({
      which: z.enum(['waiting', 'past']),
      before: z.string().nullable(),
      limit: z.int().min(1).max(200),
      order: z.enum(['risk', 'newest']).exactOptional(),
      by: proposerSchema.exactOptional(),
    }),
    z.object({
      items: z.array(proposalSummarySchema),
      total: z.int(),
      /** Of `waiting`: the proposers of everything that waits, whatever the filter, with the number of changes; absent for `past`. */
      proposers: z.array(proposerSchema.extend({ name: z.string(), count: z.int() })).exactOptional(),
    }),
  ),
  'proposals.get': request(z.object({ id }), proposalSchema),
  'proposals.targets': request(z.object({ id, from: fromSchema }), targetPageSchema),
  /** Shows the proposal. `address` is for hosts that cannot open a window. Prepares it again if the service's approval ended. */
  'proposals.review': showingRequest(
    z.object({ id }),
    shownProposalSchema.extend({ id: z.string().exactOptional() }),
  ),
  /** Prepares the same change from a fresh read and shows it. Fails with `prepare_again_impossible`, or as the service or limits refuse. */
  'proposals.prepareAgain': showingRequest(z.object({ id }), shownProposalSchema),
  /**
   * Proposes the values from before this change and shows that; later changes of others are skipped. Fails with `nothing_to_reverse` or
   * `undo_impossible`.
   */
  'proposals.undo': showingRequest(z.object({ id }), shownProposalSchema),
  'proposals.waitingTime': request(nothing, waitingTime),
  'proposals.setWaitingTime': request(waitingTime, waitingTime),
  /** Makes one batch of these waiting proposals and shows it as `proposals.review` does. Fails with `batch_unequal`. */
  'proposals.reviewTogether': showingRequest(
    z.object({ ids: z.array(id).min(2).max(200) }),
    shownProposalSchema,
  ),
  'proposals.withdraw': request(z.object({ id }), proposalSchema),
  'proposals.settle': request(z.object({ id }), proposalSchema),
};
