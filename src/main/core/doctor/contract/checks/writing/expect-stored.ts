import { jsonEqual } from '#shared/lib/json/json-equal.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import type { Answer } from '../../ask.ts';
import { drift, expectStatus, jsonOf, objectOf, shown } from '../../expect.ts';
import type { Subject } from './restoring.ts';

/** That these fields have changed and every other one is equal as a JSON value (contract §4.1, rule 4). */
export async function expectStored(subject: Subject, changes: JsonObject): Promise<void> {
  const stored = await subject.now();
  const expected = { ...subject.campaign, ...changes };
  for (const name of new Set([...Object.keys(expected), ...Object.keys(stored)])) {
    if (jsonEqual(stored[name], expected[name])) continue;
    drift(`${shown(expected[name])} as ${name} of campaign ${subject.cid}`, shown(stored[name]));
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
