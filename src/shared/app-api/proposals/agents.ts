import { z } from 'zod';
import { nothing, reasonSchema, recordId as id, request, displayRequest } from '../define.ts';
import { profileSchema } from '../profiles/session.ts';
import { atMost } from '../../lib/inert-text.ts';
import { shownProposalSchema } from './targets.ts';

/** An agent that the user has admitted. Its names are the agent's own claim and untrusted text. */
export const agentSchema = z.object({
  id: z.string(),
  name: z.string(),
  redirectHost: z.string(),
  profile: profileSchema.nullable(),
  scopes: z.array(z.string()),
  sinceMs: z.number(),
  lastSeenMs: z.number().nullable(),
  connected: z.boolean(),
  repeatedRefreshes: z.object({ count: z.int().positive(), lastMs: z.number() }).nullable(),
  ended: z
    .object({
      atMs: z.number(),
      because: z.enum(['revoked', 'replaced', 'signed-out', 'profile-removed', 'restored']),
    })
    .nullable(),
  tally: z.object({
    asked: z.int(),
    approved: z.int(),
    denied: z.int(),
    expired: z.int(),
    withdrawn: z.int(),
    outdated: z.int(),
    waiting: z.int(),
  }),
});

export type AgentView = z.infer<typeof agentSchema>;

const definitionPart = z.object({ part: z.string(), before: z.string(), after: z.string() });

/** One tool of a profile's service, as pinned. All texts come from the service. */
export const toolViewSchema = z.object({
  name: z.string(),
  title: z.string().nullable(),
  description: z.string(),
  /** Set by local policy: `read` passes, `prepare` passes and its result is remembered, `write` waits for a person. */
  treatAs: z.enum(['read', 'prepare', 'write']),
  /**
   * True if a person may let the tool pass as a read: it declares itself read-only, and Countersign does not know it as
   * a write.
   */
  mayRead: z.boolean(),
  /**
   * `pinned`: a person accepted this definition. `changed` and `new`: the definition changed or appeared since, and
   * calls are held until a person accepts it.
   */
  state: z.enum(['pinned', 'changed', 'new']),
  /** SHA-256 of the service's definition. Null for a new tool. */
  hash: z.string().nullable(),
  pinnedAtMs: z.number().nullable(),
  changes: z.int(),
  offered: z
    .object({
      hash: z.string(),
      atMs: z.number(),
      /** The definition by part: name, description, schemas, annotations. `before` is empty for a new tool. */
      parts: z.array(definitionPart),
    })
    .nullable(),
  /**
   * The parts of the definition that Countersign lists to agents instead of the service's own. Null if it lists the
   * definition unchanged.
   */
  amendment: z.array(definitionPart).nullable(),
});

export type ToolView = z.infer<typeof toolViewSchema>;

const micros = z.string().regex(/^\d{1,15}$/);

/** Limits for every agent of a profile. They only refuse; they never approve. Null means no limit. */
export const guardrailsSchema = z.object({
  /** The max factor by which one change may raise a bid. At least 1. */
  maxBidFactor: z.number().min(1).max(1000).nullable(),
  /** The max amount by which one change may raise the money at risk per day. Micros as decimal text. */
  maxRaisePerDayMicros: micros.nullable(),
  maxRaiseUntilEndMicros: micros.nullable(),
  maxCampaigns: z.int().min(1).max(1000).nullable(),
  pace: z.object({ changes: z.int().min(1).max(1000), minutes: z.int().min(1).max(1440) }).nullable(),
  /**
   * The max amount by which one agent's changes, approved and undecided, may raise the money at risk per day within
   * `hours`.
   */
  spendPace: z.object({ micros, hours: z.int().min(1).max(168) }).nullable(),
  /**
   * Hours in which no agent may propose, in the profile's zone. If `fromHour` is after `untilHour`, the hours span
   * midnight.
   */
  quietHours: z.object({ fromHour: z.int().min(0).max(23), untilHour: z.int().min(0).max(23) }).nullable(),
  untouchable: z.array(z.int().positive()).max(1000),
});

export type Guardrails = z.infer<typeof guardrailsSchema>;

/**
 * Rules that refuse an agent's write before it becomes a proposal: guardrails by name, policy, freeze, held tools,
 * limits and budgets.
 */
export const refusingRules = [
  'quietHours',
  'untouchable',
  'maxCampaigns',
  'maxBidFactor',
  'maxRaisePerDay',
  'maxRaiseUntilEnd',
  'pace',
  'spendPace',
  'unreadable',
  'policy',
  'frozen',
  'toolHeld',
  'readOnly',
  'places',
  'attempts',
] as const;

export type RefusingRule = (typeof refusingRules)[number];

export const refusedAttemptSchema = z.object({
  id: z.int(),
  profile: profileSchema,
  agentId: z.string(),
  agentName: z.string(),
  atMs: z.number(),
  times: z.int().positive(),
  title: z.string(),
  /** The first of the campaigns that the write names. `campaignCount` counts all of them. */
  cids: z.array(z.int().positive()),
  campaignCount: z.int(),
  rule: z.enum(refusingRules),
  reason: z.string(),
});

export type RefusedAttemptView = z.infer<typeof refusedAttemptSchema>;

export const campaignsToPauseSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('running') }),
  z.object({ kind: z.literal('chosen'), cids: z.array(z.int().positive()).min(1).max(1000) }),
]);

export type CampaignsToPause = z.infer<typeof campaignsToPauseSchema>;

export const sampleAgentSchema = z.object({
  state: z.enum(['off', 'connecting', 'waiting-for-you', 'proposing', 'ended', 'failed']),
  steps: z.array(z.object({ atMs: z.number(), text: z.string(), isGood: z.boolean().nullable() })),
});

export type SampleAgentView = z.infer<typeof sampleAgentSchema>;

export const agentsApi = {
  'agents.get': request(
    nothing,
    z.object({
      endpoint: z.object({
        url: z.string(),
        problem: reasonSchema.nullable(),
      }),
      frozenSinceMs: z.number().nullable(),
      agents: z.array(agentSchema),
    }),
  ),
  /** Tries the stored port again, or chooses another port. After a change of port, every agent has to be connected again. */
  'agents.openEndpoint': request(z.object({ onAnotherPort: z.boolean() }), nothing),
  'agents.revoke': request(z.object({ id }), nothing),
  'agents.freeze': request(nothing, nothing),
  'agents.thaw': request(nothing, nothing),
  'agents.tools': request(
    z.object({ profileId: id }),
    z.object({ tools: z.array(toolViewSchema), readAtMs: z.number().nullable() }),
  ),
  /**
   * Pins the definition that a person has reviewed. Fails with `tool_moved` if the service offers another definition by
   * now.
   */
  'agents.acceptTool': request(
    z.object({ profileId: id, name: z.string().refine(...atMost(200)), hash: z.string() }),
    nothing,
  ),
  /** Fails with `tool_not_readable` if this would let a write pass. */
  'agents.treatTool': request(
    z.object({ profileId: id, name: z.string().refine(...atMost(200)), treatAs: z.enum(['read', 'write']) }),
    nothing,
  ),
  /** Agents' writes that rules refused, newest first. At most 200 are stored per profile. */
  'agents.refused': request(nothing, z.object({ attempts: z.array(refusedAttemptSchema) })),
  'guardrails.get': request(z.object({ profileId: id }), guardrailsSchema),
  /**
   * Stores guardrails that were edited from `base`. Fails with `edit_conflict` if the stored guardrails are no longer
   * `base`.
   */
  'guardrails.set': request(
    z.object({ profileId: id, base: guardrailsSchema, guardrails: guardrailsSchema }),
    guardrailsSchema,
  ),
  'emergencyStop.get': request(
    nothing,
    z.object({
      set: campaignsToPauseSchema,
      paused: z.object({ atMs: z.number(), campaigns: z.int() }).nullable(),
      resuming: z.object({ total: z.int(), read: z.int() }).nullable(),
      /**
       * Present from the press until the decision about its pause: no campaign of the active profile has been paused
       * yet. Null otherwise.
       */
      pending: z
        .discriminatedUnion('kind', [
          z.object({
            kind: z.literal('preparing'),
            progress: z.object({ total: z.int(), read: z.int() }).nullable(),
          }),
          z.object({ kind: z.literal('waiting'), id: z.string() }),
          /**
           * Every campaign that runs or is being activated has an unsettled change. The pause is proposed when those
           * changes settle.
           */
          z.object({ kind: z.literal('locked') }),
          z.object({ kind: z.literal('failed') }),
        ])
        .nullable(),
      profile: z.string(),
      elsewhere: z.array(z.string()),
    }),
  ),
  'emergencyStop.setCampaigns': request(campaignsToPauseSchema, nothing),
  /** Freezes all agents and prepares one pause. `id` is null if nothing can be paused now; `say` explains why. */
  'emergencyStop.start': displayRequest(
    nothing,
    shownProposalSchema.extend({ id: z.string().nullable(), say: z.string().nullable() }),
  ),
  'emergencyStop.resume': displayRequest(nothing, shownProposalSchema),
  'sampleAgent.start': request(nothing, sampleAgentSchema),
  'sampleAgent.get': request(nothing, sampleAgentSchema),
  'sampleAgent.stop': request(nothing, sampleAgentSchema),
};
