import { absentCid, type ContractCheck } from '#core/doctor/contract/check.ts';
import type { WriteContext } from '../write-context.ts';
import { drift, envelopeOf, expectStatus, jsonOf, shown } from '#core/doctor/contract/expect.ts';
import { NotChecked } from '#core/doctor/contract/outcome.ts';
import { isJsonObject } from '#shared/lib/json/json-value.ts';
import {
  expectInvalid,
  expectStored,
  onPausedCampaign,
  pausedSamples,
  subjectOf,
} from '../paused-campaign.ts';
import { usualFormats } from '#shared/lib/formats.ts';

const any = () => true;
const newName = 'Renamed by the contract check';

async function roundTrip(context: WriteContext): Promise<void> {
  await onPausedCampaign(context, any, async (subject) => {
    const body = envelopeOf(await subject.put({ name: newName }), 'member', usualFormats);
    if (body['data'] !== undefined)
      drift('no data in the answer to an update', shown(body['data'], usualFormats));
    await expectStored(subject, { name: newName });
  });
}

/** The path counts, not the body (contract §4.1, rule 2). */
async function pathCid(context: WriteContext): Promise<void> {
  const [, other] = await pausedSamples(context, any, 2);
  if (other === undefined) return;
  await onPausedCampaign(context, any, async (subject) => {
    const bystander = subjectOf(context, other);
    envelopeOf(await subject.put({ cid: bystander.cid, name: newName }), 'member', usualFormats);
    await expectStored(subject, { name: newName });
    await expectStored(bystander, {});
  });
}

/** PUT /login/campaigns/{cid} (contract §4.1). */
export const updateChecks: readonly ContractCheck<WriteContext>[] = [
  {
    id: 'update.round-trip',
    clause: '§2.1, §4.1',
    title: 'A changed field is stored, everything else stays equal, and the answer has no data',
    needs: ['member'],
    run: roundTrip,
  },
  {
    id: 'update.path-cid',
    clause: '§2.4, §4.1',
    title: 'The cid of the path counts, not the one of the body',
    needs: ['member'],
    run: pathCid,
  },
  {
    id: 'update.incomplete',
    clause: '§2.4, §7.1',
    title: 'An update without required fields is 422 with details, and changes nothing',
    needs: ['member'],
    run: (context) =>
      onPausedCampaign(context, any, async (subject) => {
        const body = { cid: subject.cid, uid: subject.campaign['uid'] ?? 0, name: newName };
        await expectInvalid(subject, await subject.putWhole(body), ['payout']);
      }),
  },
  {
    id: 'update.owner',
    clause: '§1, §2.4',
    title: 'The uid of another owner reaches no other account',
    needs: ['member'],
    run: (context) =>
      onPausedCampaign(context, any, async (subject) => {
        const answer = await subject.put({ uid: Number(subject.campaign['uid']) + 1 });
        if (answer.status >= 300) expectStatus(answer, [400, 403, 404, 422], 'to the uid of another owner');
        await expectStored(subject, {});
      }),
  },
  {
    id: 'update.absent',
    clause: '§7.1',
    title: 'An update of a campaign that is not there is 404',
    needs: ['member'],
    run: (context) =>
      onPausedCampaign(context, any, async ({ campaign }) => {
        const answer = await context.member.put(`/${absentCid}`, campaign);
        expectStatus(answer, [404], 'where there is no such campaign');
      }),
  },
  {
    id: 'update.foreign',
    clause: '§1, §7.1',
    title: 'An update of another user’s campaign answers as one of a campaign that is not there',
    needs: ['member'],
    run: (context) =>
      onPausedCampaign(context, any, async ({ campaign }) => {
        const { foreignCid } = context.known;
        if (foreignCid === undefined) throw new NotChecked('No campaign of another member is known.');
        const absent = await context.member.put(`/${absentCid}`, campaign);
        const foreign = await context.member.put(`/${foreignCid}`, campaign);
        expectStatus(foreign, [absent.status], 'as for an absent campaign');
        if (foreign.text !== absent.text) drift('the same answer as for an absent campaign', 'another one');
      }),
  },
  {
    id: 'update.message',
    clause: '§3, §7.1',
    title: 'An update that is refused says why in its message',
    needs: ['member'],
    run: (context) =>
      onPausedCampaign(context, any, async (subject) => {
        const answer = await subject.put({ status: 0 });
        expectStatus(answer, [400, 403, 422], 'to Pending');
        const body = jsonOf(answer);
        const message = isJsonObject(body) ? body['message'] : undefined;
        if (typeof message !== 'string' || message === '')
          drift('a message to read', shown(message, usualFormats));
        await expectStored(subject, {});
      }),
  },
];
