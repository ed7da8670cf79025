import { z } from 'zod';
import { numberFormats } from '../../lib/number-text.ts';
import { momentZones } from '../../lib/shown-formats.ts';
import { nothing, reasonSchema, request } from '../define.ts';

/** The service that the user works with. Printed wherever money is shown, so that it is never in doubt. */
export const profileSchema = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(['demo', 'live']),
  /** The advertiser owner's id as text; empty until the service has sent it. */
  account: z.string(),
  /** IANA name of the service-day zone. */
  zone: z.string(),
});

export type ProfileView = z.infer<typeof profileSchema>;

/** The state of the bar at the foot of the window. */
export const statusSchema = z.object({
  service: z.object({
    /** `signed-out`: it answers, and the user is not signed in. */
    state: z.enum(['ready', 'unreachable', 'unknown', 'signed-out']),
    /** Round trip of the last answer in milliseconds. */
    latencyMs: z.number().nullable(),
    checkedAtMs: z.number().nullable(),
    /** The service asked for a pause: when it is asked again; null where nothing waits. */
    retryAtMs: z.number().nullable(),
  }),
  /** The reason and the remedy while no change can be made; null else. */
  writing: z.object({ off: z.object({ because: z.string(), next: z.string() }).nullable() }),
  /** Why live profiles and agents are stopped: the administrator's policy cannot be used. Null while it can. */
  policy: reasonSchema.nullable(),
  /** Proposals that wait for a decision. */
  waiting: z.int(),
  /** Campaigns locked by an unknown outcome. */
  unknown: z.int(),
  agents: z.object({
    /** Agents with an open session. */
    connected: z.int(),
    /** Every agent is frozen since; null while they may work. */
    frozenSinceMs: z.number().nullable(),
  }),
  ledger: z.object({
    rows: z.int(),
    /** When the newest row was sealed; null for an empty ledger. */
    sealedAtMs: z.number().nullable(),
    state: z.enum(['verified', 'broken', 'unchecked']),
    /** Since when the ledger's anchor could not be written; nothing more is recorded until it can. */
    anchorFailedSinceMs: z.number().nullable(),
  }),
});

export type StatusView = z.infer<typeof statusSchema>;

export const shownFormatsSchema = z.object({ numbers: z.enum(numberFormats), moments: z.enum(momentZones) });

export const sessionApi = {
  'session.get': request(
    nothing,
    z.object({
      version: z.string(),
      host: z.enum(['desktop', 'browser', 'terminal']),
      profile: profileSchema,
      formats: shownFormatsSchema,
      /** Present while the service's clock is ahead of this computer's, in free practice: by so many milliseconds. */
      serviceAheadMs: z.number().exactOptional(),
      /** Present until the first start screen was seen in this data folder. */
      isFirstStart: z.literal(true).exactOptional(),
    }),
  ),
  'session.status': request(nothing, statusSchema),
  /** The first start screen was shown: it does not come by itself any more. */
  'session.seenFirstStart': request(nothing, nothing),
  /** Writes numbers and moments so from now on, in every window. Fails with `formats_elsewhere` in training. */
  'session.setFormats': request(shownFormatsSchema, nothing),
};
