import { z } from 'zod';
import { nothing, reasonSchema, recordId as id, request, showingRequest } from '../define.ts';
import { profileSchema } from '../profiles/session.ts';
import { atMost } from '../../lib/inert-text.ts';
import { shownProposalSchema } from './targets.ts';

/** An agent that the user has admitted. Names are the agent's own claim: foreign text. */
export const agentSchema = z.object({
  id: z.string(),
  name: z.string(),
  redirectHost: z.string(),
  /** The one profile that its calls go to; null where that profile is gone. */
  profile: profileSchema.nullable(),
  scopes: z.array(z.string()),
  sinceMs: z.number(),
  lastSeenMs: z.number().nullable(),
  connected: z.boolean(),
  /** Number of refreshes that were answered again since the program began, and the time of the last; null for none. */
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

/** One tool of a profile's service, as pinned. All texts are the service's own. */
export const toolViewSchema = z.object({
  name: z.string(),
  title: z.string().nullable(),
  description: z.string(),
  /** By local policy: `read` passes, `prepare` passes and is remembered, `write` waits for a person. */
  treatAs: z.enum(['read', 'prepare', 'write']),
  /** True if a person may treat it as a read: it declares itself one, and Countersign does not know it as a write. */
  mayRead: z.boolean(),
  /** `pinned` as looked at; `changed` or `new` since, and held until a person has looked. */
  state: z.enum(['pinned', 'changed', 'new']),
  /** SHA-256 of the service's definition; null for a new one. */
  hash: z.string().nullable(),
  pinnedAtMs: z.number().nullable(),
  /** Number of changes by the service since a person reviewed it. */
  changes: z.int(),
  /** Definitions that the user has not reviewed yet. */
  offered: z
    .object({
      hash: z.string(),
      atMs: z.number(),
      /** Part by part: name, description, schemas, annotations; before is empty for a new tool. */
      parts: z.array(definitionPart),
    })
    .nullable(),
  /** What Countersign tells agents in place of the service's own parts; null if it lists the definition as it is. */
  amendment: z.array(definitionPart).nullable(),
});

export type ToolView = z.infer<typeof toolViewSchema>;

const micros = z.string().regex(/^\d{1,15}$/);

/** Limits for every agent of a profile. They only refuse; nothing here approves. Null sets no limit. */
export const guardrailsSchema = z.object({
  /** One change may raise a bid to so many times the current one at most; at least 1. */
  maxBidFactor: z.number().min(1).max(1000).nullable(),
  /** One change may raise the money at risk per day by so much at most; micros as decimal text. */
  maxRaisePerDayMicros: micros.nullable(),
  /** The same for the money at risk until the end. */
  maxRaiseUntilEndMicros: micros.nullable(),
  /** One change may touch so many campaigns at most. */
  maxCampaigns: z.int().min(1).max(1000).nullable(),
  /** One agent may propose so many changes in so many minutes at most. */
  pace: z.object({ changes: z.int().min(1).max(1000), minutes: z.int().min(1).max(1440) }).nullable(),
  /** One agent's changes, approved and waiting, may raise the money at risk per day by so much in so many hours at most. */
  spendPace: z.object({ micros, hours: z.int().min(1).max(168) }).nullable(),
  /** Hours in which no agent may propose, in the zone of the profile; `from` after `until` spans midnight. */
  quietHours: z.object({ fromHour: z.int().min(0).max(23), untilHour: z.int().min(0).max(23) }).nullable(),
  /** Campaigns that no agent may touch. */
  untouchable: z.array(z.int().positive()).max(1000),
});

export type Guardrails = z.infer<typeof guardrailsSchema>;

/**
 * Rules that refuse a write of an agent before it is a proposal: the guardrails by their names, guardrails that cannot be read, a
 * policy of the administrator that cannot be used, the freeze, a tool that is held, an agent that may only read, the places for what waits,
 * and the budget of attempts that end without a decision.
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

/** A write that an agent asked for and that was refused before it was a proposal. */
export const refusedAttemptSchema = z.object({
  id: z.int(),
  profile: profileSchema,
  agentId: z.string(),
  /** The agent's own claim: foreign text. */
  agentName: z.string(),
  /** When it was asked last, and how often in a row. */
  atMs: z.number(),
  times: z.int().positive(),
  /** The change in one sentence, like the title of a proposal; foreign text in it is quoted. */
  title: z.string(),
  /** The campaigns that it names: the first ones of `campaignCount`. */
  cids: z.array(z.int().positive()),
  campaignCount: z.int(),
  rule: z.enum(refusingRules),
  /** The limit and what would pass. */
  reason: z.string(),
});

export type RefusedAttemptView = z.infer<typeof refusedAttemptSchema>;

/** The campaigns that the emergency pause of a profile stops. */
export const campaignsToPauseSchema = z.discriminatedUnion('kind', [
  /** Everything that is Active or Scheduled. */
  z.object({ kind: z.literal('running') }),
  z.object({ kind: z.literal('chosen'), cids: z.array(z.int().positive()).min(1).max(1000) }),
]);

export type CampaignsToPause = z.infer<typeof campaignsToPauseSchema>;

export const sampleAgentSchema = z.object({
  state: z.enum(['off', 'connecting', 'waiting-for-you', 'proposing', 'ended', 'failed']),
  /** Its steps so far, one sentence each, newest last. */
  steps: z.array(z.object({ atMs: z.number(), text: z.string(), isGood: z.boolean().nullable() })),
});

export type SampleAgentView = z.infer<typeof sampleAgentSchema>;

export const agentsApi = {
  'agents.get': request(
    nothing,
    z.object({
      endpoint: z.object({
        url: z.string(),
        /** Reason why no agent can connect now, and the remedy. */
        problem: reasonSchema.nullable(),
      }),
      frozenSinceMs: z.number().nullable(),
      /** Newest first, those that are no longer admitted last. */
      agents: z.array(agentSchema),
    }),
  ),
  /** Tries the stored port again, or takes another one: then every agent has to be connected again. */
  'agents.openEndpoint': request(z.object({ onAnotherPort: z.boolean() }), nothing),
  'agents.revoke': request(z.object({ id }), nothing),
  /** Stops all calls of agents, and withdraws their waiting proposals. */
  'agents.freeze': request(nothing, nothing),
  'agents.thaw': request(nothing, nothing),
  'agents.tools': request(
    z.object({ profileId: id }),
    z.object({ tools: z.array(toolViewSchema), readAtMs: z.number().nullable() }),
  ),
  /** A person has looked at what is offered: it is pinned from now on. Fails with `tool_moved` where it is another one by now. */
  'agents.acceptTool': request(
    z.object({ profileId: id, name: z.string().refine(...atMost(200)), hash: z.string() }),
    nothing,
  ),
  /** Fails with `tool_not_readable` where a write would pass. */
  'agents.treatTool': request(
    z.object({ profileId: id, name: z.string().refine(...atMost(200)), treatAs: z.enum(['read', 'write']) }),
    nothing,
  ),
  /** Agents' writes that rules refused, newest first; at most 200 of each profile are kept. */
  'agents.refused': request(nothing, z.object({ attempts: z.array(refusedAttemptSchema) })),
  'guardrails.get': request(z.object({ profileId: id }), guardrailsSchema),
  /** Stores guardrails that were edited from `base`. Fails with `edit_conflict` where others are stored by now. */
  'guardrails.set': request(
    z.object({ profileId: id, base: guardrailsSchema, guardrails: guardrailsSchema }),
    guardrailsSchema,
  ),
  'emergencyStop.get': request(
    nothing,
    z.object({
      set: campaignsToPauseSchema,
      /** The last emergency pause of the active profile whose campaigns can be resumed. */
      paused: z.object({ atMs: z.number(), campaigns: z.int() }).nullable(),
      /** While their return is prepared: how many campaigns have to be read, and how many have been. Else null. */
      resuming: z.object({ total: z.int(), read: z.int() }).nullable(),
      /** Present from the press until its pause is decided: nothing of the active profile is paused yet. Else null. */
      pending: z
        .discriminatedUnion('kind', [
          z.object({
            kind: z.literal('preparing'),
            /** Campaigns that run, and how many of them have been read; null until the service has said how many run. */
            progress: z.object({ total: z.int(), read: z.int() }).nullable(),
          }),
          /** The pause awaits approval. */
          z.object({ kind: z.literal('waiting'), id: z.string() }),
          /** Every campaign that runs, or is being activated, has a change under way: the pause is proposed when that settles. */
          z.object({ kind: z.literal('locked') }),
          /** The pause could not be prepared. */
          z.object({ kind: z.literal('failed') }),
        ])
        .nullable(),
      /** The active profile: the pause is for its campaigns alone. */
      profile: z.string(),
      /** Other profiles to which agents are admitted. */
      elsewhere: z.array(z.string()),
    }),
  ),
  'emergencyStop.setCampaigns': request(campaignsToPauseSchema, nothing),
  /**
   * Freezes all agents, withdraws what they have waiting, and prepares one pause of the saved set over REST, shown as
   * `proposals.review` does. `id` is null where nothing of the set can be paused now; `say` is what a person has to know
   * besides.
   */
  'emergencyStop.start': showingRequest(
    nothing,
    shownProposalSchema.extend({ id: z.string().nullable(), say: z.string().nullable() }),
  ),
  /** Prepares the return of the earlier statuses as one reviewed proposal. */
  'emergencyStop.resume': showingRequest(nothing, shownProposalSchema),
  /** Starts the sample agent against Demo. */
  'sampleAgent.start': request(nothing, sampleAgentSchema),
  'sampleAgent.get': request(nothing, sampleAgentSchema),
  'sampleAgent.stop': request(nothing, sampleAgentSchema),
};
