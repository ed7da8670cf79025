import type { Sample } from '#core/doctor/contract/account.ts';
import type { Answer } from '#core/doctor/contract/ask.ts';
import type { WriteContext } from './write-context.ts';
import { drift, envelopeOf, expectStatus, jsonOf, objectOf, shown } from '#core/doctor/contract/expect.ts';
import { NotChecked } from '#core/doctor/contract/outcome.ts';
import { jsonEqual, type JsonObject } from '#shared/lib/json/json-value.ts';
import { usualFormats } from '#shared/lib/formats.ts';

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
      const data = objectOf(envelopeOf(await member.get(`/${cid}`), 'member', usualFormats)['data'], 'data');
      return objectOf(data['campaign'], 'campaign');
    },
    put: (changes) => putWhole({ ...sample.campaign, ...changes }),
    putWhole,
  };
}

/** A campaign as it was found. */
export async function putBack({ campaign, cid, now, put }: Subject): Promise<void> {
  if (jsonEqual(await now(), campaign)) return;
  envelopeOf(await put({}), 'member', usualFormats);
  if (!jsonEqual(await now(), campaign)) drift(`campaign ${cid} as it was before`, 'something else');
}

/** That these fields have changed and every other one is equal as a JSON value (contract §4.1, rule 4). */
export async function expectStored(subject: Subject, changes: JsonObject): Promise<void> {
  const stored = await subject.now();
  const expected = { ...subject.campaign, ...changes };
  for (const name of new Set([...Object.keys(expected), ...Object.keys(stored)])) {
    if (jsonEqual(stored[name], expected[name])) continue;
    drift(
      `${shown(expected[name], usualFormats)} as ${name} of campaign ${subject.cid}`,
      shown(stored[name], usualFormats),
    );
  }
}

/** That the update was refused with 422, its details name one of the fields, and nothing has changed (contract §7.1). */
export async function expectInvalid(
  subject: Subject,
  answer: Answer,
  names: readonly string[],
): Promise<void> {
  const [name = ''] = names;
  expectStatus(answer, [422], `because of ${name}`);
  // The envelope has a status of its own.
  const { status: _status, ...details } = objectOf(jsonOf(answer), 'the body');
  const said = JSON.stringify(details);
  if (!names.some((each) => said.includes(each))) drift(`details that name ${name}`, 'none');
  await expectStored(subject, {});
}
