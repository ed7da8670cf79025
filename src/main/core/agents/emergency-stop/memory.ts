import { z } from 'zod';
import type { AppStore } from '#core/store/app/index.ts';
import { type CampaignsToPause, campaignsToPauseSchema } from '#shared/app-api/index.ts';
import { jsonOrNull } from '#shared/lib/json/json-value.ts';

/** A proposal that brings statuses back, with the campaigns that it leaves for good, because they had changed since the pause. */
const returnSchema = z.object({ id: z.string(), leaves: z.array(z.int()) });

const pauseSchema = z.object({
  /** The pause by its proposal. */
  pause: z.string(),
  /** Pauses of what it left out, because a change of it was under way. */
  more: z.array(z.string()),
  /** The proposals that resume its campaigns, oldest first. */
  returns: z.array(returnSchema),
});

const leftOutSchema = z.object({
  /** The freeze of the stop: of another one nothing is proposed any more. */
  sinceMs: z.number(),
  /** The pause that left them out; null while there is none. */
  of: z.string().nullable(),
  cids: z.array(z.int()),
  /** Pauses that have ended, and whose campaigns that were not sent are among these. */
  ended: z.array(z.string()),
});

/** Campaigns that an emergency stop had to leave out, because a change of them was under way, until their pause is proposed. */
export type LeftOut = z.infer<typeof leftOutSchema>;

/** Stored form from when there was one return at most. */
const singleReturnSchema = z
  .object({ pause: z.string(), resume: z.string().nullable() })
  .transform(({ pause, resume }) => ({
    pause,
    more: [],
    returns: resume === null ? [] : [{ id: resume, leaves: [] }],
  }));

/** One emergency pause, and the proposals that take it back. What they did is in the proposals. */
export type RememberedPause = z.infer<typeof pauseSchema>;

/** Maximum number of remembered pauses of each profile. */
const maxRemembered = 20;

/** The campaigns to pause of each profile, and its earlier pauses. Writes fail with `storage_failed`. */
export interface EmergencyStopMemory {
  set(profileId: string): CampaignsToPause;
  choose(profileId: string, set: CampaignsToPause): void;
  /** Campaigns that the last stop left out; null if that is not known. */
  leftOut(profileId: string): LeftOut | null;
  leave(profileId: string, left: LeftOut): void;
  /** Newest first. */
  pauses(profileId: string): RememberedPause[];
  addPause(profileId: string, pause: string): void;
  /** Remembers a pause of what another one left out; alone, where that one is not known. */
  addMore(profileId: string, of: string | null, pause: string): void;
  addReturn(profileId: string, of: RememberedPause, made: z.infer<typeof returnSchema>): void;
  forgetPause(profileId: string, forgotten: RememberedPause): void;
}

export function createEmergencyStopMemory({
  settings,
}: {
  settings: Pick<AppStore['settings'], 'get' | 'set'>;
}): EmergencyStopMemory {
  const pausesSchema = z.array(z.union([pauseSchema, singleReturnSchema]));
  const setKey = (profileId: string): string => `emergency-stop.set.${profileId}`;
  const leftOutKey = (profileId: string): string => `emergency-stop.left-out.${profileId}`;
  const pausesKey = (profileId: string): string => `emergency-stop.pauses.${profileId}`;

  function read<T>(key: string, schema: z.ZodType<T>, fallback: T): T {
    const text = settings.get(key);
    if (text === null) return fallback;
    const parsed = schema.safeParse(jsonOrNull(text));
    return parsed.success ? parsed.data : fallback;
  }

  const pauses = (profileId: string): RememberedPause[] => read(pausesKey(profileId), pausesSchema, []);
  const keep = (profileId: string, list: readonly RememberedPause[]): void =>
    settings.set(pausesKey(profileId), JSON.stringify(list.slice(0, maxRemembered)));

  function addPause(profileId: string, pause: string): void {
    keep(profileId, [{ pause, more: [], returns: [] }, ...pauses(profileId)]);
  }

  function change(
    profileId: string,
    pause: string,
    changed: (one: RememberedPause) => Partial<RememberedPause>,
  ): void {
    keep(
      profileId,
      pauses(profileId).map((one) => (one.pause === pause ? { ...one, ...changed(one) } : one)),
    );
  }

  return {
    // An unreadable choice pauses everything: too much is safer than too little.
    set: (profileId) =>
      read<CampaignsToPause>(setKey(profileId), campaignsToPauseSchema, { kind: 'running' }),
    choose: (profileId, set) => settings.set(setKey(profileId), JSON.stringify(set)),
    leftOut: (profileId) => read<LeftOut | null>(leftOutKey(profileId), leftOutSchema, null),
    leave: (profileId, left) => settings.set(leftOutKey(profileId), JSON.stringify(left)),
    pauses,
    addPause,
    addMore(profileId, of, pause) {
      const known = pauses(profileId).find((one) => one.pause === of);
      if (known === undefined) addPause(profileId, pause);
      else change(profileId, known.pause, ({ more }) => ({ more: [...more, pause] }));
    },
    addReturn: (profileId, { pause }, made) =>
      change(profileId, pause, ({ returns }) => ({ returns: [...returns, made] })),
    forgetPause: (profileId, forgotten) =>
      keep(
        profileId,
        pauses(profileId).filter(({ pause }) => pause !== forgotten.pause),
      ),
  };
}
