import { jsonEqual } from '#shared/lib/json/json-equal.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import type { Answer } from '../../ask.ts';
import type { Sample } from '../../account.ts';
import type { WriteContext } from '../../check.ts';
import { drift, envelopeOf, objectOf } from '../../expect.ts';
import { NotChecked } from '../../outcome.ts';

const paused = 3;

/** One campaign that a check may write, as it was found. */
export interface Subject extends Sample {
  cid: number;
  /** The campaign as the service gives it now. */
  now(): Promise<JsonObject>;
  /** Sends the campaign as it was found, with these fields changed. */
  put(changes: JsonObject): Promise<Answer>;
  /** Sends this body. */
  putWhole(body: JsonObject): Promise<Answer>;
}

/** The first paused campaigns, one of each type, that fit. Pausing them again is always allowed (contract §3). */
export async function pausedSamples(
  { account }: WriteContext,
  fits: (sample: Sample) => boolean,
  count: number,
): Promise<Sample[]> {
  const rows = (await account.rows()).rows.filter(({ status }) => status === paused);
  const found: Sample[] = [];
  const seen = new Map<string, boolean>();
  for (const row of rows) {
    if (found.length === count) return found;
    if (seen.get(row.type_name) === false) continue;
    const sample = await account.sample(row);
    seen.set(row.type_name, fits(sample));
    if (fits(sample)) found.push(sample);
  }
  if (found.length < count) throw new NotChecked('There is no paused campaign that it can be tried with.');
  return found;
}

/**
 * Gives a check a paused campaign to write, and puts it back as it was, whatever happens. Throws `Drift` where the service
 * does not take back what it gave.
 */
export async function onPausedCampaign(
  context: WriteContext,
  fits: (sample: Sample) => boolean,
  work: (subject: Subject) => Promise<void>,
): Promise<void> {
  const [sample] = await pausedSamples(context, fits, 1);
  if (sample === undefined) return;
  const subject = subjectOf(context, sample);
  try {
    await work(subject);
  } finally {
    await putBack(subject);
  }
}

export function subjectOf({ member }: WriteContext, sample: Sample): Subject {
  const { cid } = sample.row;
  const putWhole = (body: JsonObject) => member.put(`/${cid}`, body);
  return {
    ...sample,
    cid,
    async now() {
      const data = objectOf(envelopeOf(await member.get(`/${cid}`), 'member')['data'], 'data');
      return objectOf(data['campaign'], 'campaign');
    },
    put: (changes) => putWhole({ ...sample.campaign, ...changes }),
    putWhole,
  };
}

/** A campaign as it was found. */
export async function putBack({ campaign, cid, now, put }: Subject): Promise<void> {
  if (jsonEqual(await now(), campaign)) return;
  envelopeOf(await put({}), 'member');
  if (!jsonEqual(await now(), campaign)) drift(`campaign ${cid} as it was before`, 'something else');
}
