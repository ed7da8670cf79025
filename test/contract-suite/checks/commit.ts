import { z } from 'zod';
import type { ContractCheck } from '#core/doctor/contract/check.ts';
import type { WriteContext } from '../write-context.ts';
import { drift, shaped, shown } from '#core/doctor/contract/expect.ts';
import { NotChecked } from '#core/doctor/contract/outcome.ts';
import type { RpcAnswer } from '#core/doctor/contract/remote-session.ts';
import { isJsonObject, jsonEqual, type JsonObject } from '#shared/lib/json/json-value.ts';
import { expectStored, onPausedCampaign, type Subject } from '../paused-campaign.ts';
import { usualFormats } from '#shared/lib/formats.ts';

/** The contract tells the steps (§4.3) and not the tools: these are the ones of the embedded backend. */
const tools = { prepare: 'svc_prepare_campaign_update', commit: 'svc_commit' } as const;

const preparedSchema = z.looseObject({
  approval: z.looseObject({ id: z.string(), fingerprint: z.string() }),
  payload: z.custom<JsonObject>(isJsonObject),
});

const newName = 'Committed by the contract check';

/** Prepares the commit's arguments: approval, fingerprint and payload as they were given. */
async function prepare({ remote }: WriteContext, { cid }: Subject): Promise<JsonObject> {
  const listed = (await remote.list('tools/list'))['tools'];
  const names = Array.isArray(listed) ? listed.map((tool) => (isJsonObject(tool) ? tool['name'] : null)) : [];
  if (!Object.values(tools).every((name) => names.includes(name))) {
    throw new NotChecked('The tools that prepare and commit are not open to this sign-in.');
  }
  const answer = await remote.call(tools.prepare, { cid, changes: { name: newName } });
  const { approval, payload } = shaped(dataOf(answer), preparedSchema, 'data');
  return {
    approvalId: approval.id,
    fingerprint: approval.fingerprint,
    payload,
    idempotencyKey: `contract-check-${approval.id}`,
    confirmed: true,
  };
}

function dataOf({ result, status }: RpcAnswer): JsonObject {
  const structured = result?.['structuredContent'];
  const data = isJsonObject(structured) ? structured['data'] : undefined;
  if (!isJsonObject(data))
    return drift(
      'an answer with data',
      result === null ? `a refusal (${status})` : shown(data, usualFormats),
    );
  return data;
}

function expectRefusal({ result, status }: RpcAnswer, expected: number, when: string): void {
  if (result !== null) drift(`${expected} ${when}`, 'a result');
  if (status !== expected) drift(`${expected} ${when}`, String(status));
}

function tryCommit(
  context: WriteContext,
  work: (subject: Subject, request: JsonObject) => Promise<void>,
): Promise<void> {
  return onPausedCampaign(
    context,
    () => true,
    async (subject) => work(subject, await prepare(context, subject)),
  );
}

/** Writes through the remote tools (contract §4.3, "Write behavior through tools", §7.3). */
export const commitChecks: readonly ContractCheck<WriteContext>[] = [
  {
    id: 'commit.prepare',
    clause: '§4.3',
    title: 'What is only prepared changes nothing',
    needs: ['remote', 'member'],
    run: (context) => tryCommit(context, (subject) => expectStored(subject, {})),
  },
  {
    id: 'commit.once',
    clause: '§4.3',
    title: 'A commit writes what was prepared; its key again gives the stored answer',
    needs: ['remote', 'member'],
    run: (context) =>
      tryCommit(context, async (subject, request) => {
        const first = dataOf(await context.remote.call(tools.commit, request));
        await expectStored(subject, { name: newName });
        const again = dataOf(await context.remote.call(tools.commit, request));
        if (!jsonEqual(first, again)) drift('the stored answer to the same key', shown(again, usualFormats));
      }),
  },
  {
    id: 'commit.key-conflict',
    clause: '§4.3, §7.3',
    title: 'A used key with another payload is 409',
    needs: ['remote', 'member'],
    run: (context) =>
      tryCommit(context, async (subject, request) => {
        dataOf(await context.remote.call(tools.commit, request));
        const payload = { ...subject.campaign, name: 'Another' };
        const answer = await context.remote.call(tools.commit, { ...request, payload });
        expectRefusal(answer, 409, 'to a used key with another payload');
        await expectStored(subject, { name: newName });
      }),
  },
  {
    id: 'commit.changed-payload',
    clause: '§4.3, §7.3',
    title: 'A payload other than the prepared one is 409, and changes nothing',
    needs: ['remote', 'member'],
    run: (context) =>
      tryCommit(context, async (subject, request) => {
        const payload = { ...subject.campaign, name: 'Another' };
        const answer = await context.remote.call(tools.commit, { ...request, payload });
        expectRefusal(answer, 409, 'to another payload');
        await expectStored(subject, {});
      }),
  },
  {
    id: 'commit.unconfirmed',
    clause: '§4.3, §7.3',
    title: 'A commit without a confirmation is 403, and changes nothing',
    needs: ['remote', 'member'],
    run: (context) =>
      tryCommit(context, async (subject, request) => {
        const answer = await context.remote.call(tools.commit, { ...request, confirmed: false });
        expectRefusal(answer, 403, 'without confirmation');
        await expectStored(subject, {});
      }),
  },
  {
    id: 'commit.moved',
    clause: '§4.3, §7.3',
    title: 'A campaign that moved after the prepare is 409, and stays as it is',
    needs: ['remote', 'member'],
    run: (context) =>
      tryCommit(context, async (subject, request) => {
        await subject.put({ name: 'Somebody was faster' });
        expectRefusal(
          await context.remote.call(tools.commit, request),
          409,
          'after a change by another client',
        );
        await expectStored(subject, { name: 'Somebody was faster' });
      }),
  },
];
