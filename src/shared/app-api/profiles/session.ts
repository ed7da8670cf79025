import { z } from 'zod';
import { momentZones, numberFormats } from '../../lib/formats.ts';
import { nothing, reasonSchema, request } from '../define.ts';

export const profileSchema = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(['demo', 'live']),
  /** The advertiser owner's id as text; empty until the service has sent it. */
  account: z.string(),
  zone: z.string(),
});

export type ProfileView = z.infer<typeof profileSchema>;

export const statusSchema = z.object({
  service: z.object({
    /** `signed-out`: the service answers, but the user is not signed in. */
    state: z.enum(['ready', 'unreachable', 'unknown', 'signed-out']),
    latencyMs: z.number().nullable(),
    checkedAtMs: z.number().nullable(),
    /**
     * The time at which a delayed request is repeated, because the service asked for a pause. Null if no request is
     * delayed.
     */
    retryAtMs: z.number().nullable(),
  }),
  writing: z.object({ off: z.object({ because: z.string(), next: z.string() }).nullable() }),
  policy: reasonSchema.nullable(),
  waiting: z.int(),
  unknown: z.int(),
  agents: z.object({
    connected: z.int(),
    frozenSinceMs: z.number().nullable(),
  }),
  ledger: z.object({
    rows: z.int(),
    sealedAtMs: z.number().nullable(),
    state: z.enum(['verified', 'broken', 'unchecked']),
    /**
     * The time since which the ledger's anchor cannot be written. The ledger accepts no rows until it can. Null if
     * there is no problem.
     */
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
      /**
       * Milliseconds by which the service's clock is ahead of this computer's clock. Present only in free practice,
       * while it is ahead.
       */
      serviceAheadMs: z.number().exactOptional(),
      isFirstStart: z.literal(true).exactOptional(),
    }),
  ),
  'session.status': request(nothing, statusSchema),
  'session.seenFirstStart': request(nothing, nothing),
  /** Sets the format of numbers and times in every window. Fails with `formats_elsewhere` in training. */
  'session.setFormats': request(shownFormatsSchema, nothing),
};
