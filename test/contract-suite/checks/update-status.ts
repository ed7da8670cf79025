import { absentCid, type ContractCheck } from '#core/doctor/contract/check.ts';
import type { WriteContext } from '../write-context.ts';
import { drift, expectStatus, expectSuccess } from '#core/doctor/contract/expect.ts';
import { NotChecked } from '#core/doctor/contract/outcome.ts';
import type { JsonValue } from '#shared/lib/json/json-value.ts';
import { expectStored, onPausedCampaign, pausedSamples, putBack, subjectOf } from '../paused-campaign.ts';

const any = () => true;
const setStatus = ({ member }: WriteContext, body: JsonValue) => member.put('/update-status', body);

/** Bodies that are refused whatever campaign they name (contract §3, §4.1); how a wrong field is refused is 400 or 422. */
const refused: readonly [
  id: string,
  title: string,
  clause: string,
  bodyOf: (cid: number) => JsonValue,
  statuses: readonly number[],
][] = [
  ['pending', 'Members set nothing to Pending', '§3', (cid) => ({ ids: [cid], status: 0 }), [400, 403, 422]],
  ['beyond', 'There is no status beyond 4', '§4.1', (cid) => ({ ids: [cid], status: 9 }), [400, 422]],
  ['nobody', 'A change of status names a campaign', '§4.1', () => ({ ids: [], status: 3 }), [400, 422]],
  ['missing', 'A change of status names a status', '§4.1', (cid) => ({ ids: [cid] }), [400, 422]],
  ['words', 'Campaign ids are whole numbers', '§4.1', (cid) => ({ ids: [`${cid}`], status: 2 }), [400, 422]],
  ['absent', 'A campaign that is not there is 404', '§7.1', () => ({ ids: [absentCid], status: 2 }), [404]],
];

/** PUT /login/campaigns/update-status (contract §3, §4.1). Its success body is not shown, so the campaigns are asked. */
export const updateStatusChecks: readonly ContractCheck<WriteContext>[] = [
  {
    id: 'update-status.moves',
    clause: '§3',
    title: 'Members suspend, schedule and pause what they own',
    needs: ['member'],
    run: (context) =>
      onPausedCampaign(context, any, async (subject) => {
        for (const status of [2, 4, 3]) {
          expectSuccess(await setStatus(context, { ids: [subject.cid], status }), 'member');
          await expectStored(subject, { status });
        }
      }),
  },
  {
    id: 'update-status.activate',
    clause: '§3, §7.1',
    title: 'Activating is allowed, or 402 while less than $1.00 is available',
    needs: ['member'],
    run: (context) =>
      onPausedCampaign(context, any, async (subject) => {
        const answer = await setStatus(context, { ids: [subject.cid], status: 1 });
        if (answer.status !== 402) expectSuccess(answer, 'member');
        await expectStored(subject, answer.status === 402 ? {} : { status: 1 });
      }),
  },
  {
    id: 'update-status.several',
    clause: '§4.1',
    title: 'Several campaigns change at once',
    needs: ['member'],
    async run(context) {
      const subjects = (await pausedSamples(context, any, 2)).map((sample) => subjectOf(context, sample));
      try {
        const ids = subjects.map(({ cid }) => cid);
        expectSuccess(await setStatus(context, { ids, status: 2 }), 'member');
        for (const subject of subjects) await expectStored(subject, { status: 2 });
      } finally {
        for (const subject of subjects) await putBack(subject);
      }
    },
  },
  ...refused.map(([id, title, clause, bodyOf, statuses]) => ({
    id: `update-status.${id}`,
    clause,
    title,
    needs: ['member'] as const,
    run: (context: WriteContext) =>
      onPausedCampaign(context, any, async (subject) => {
        expectStatus(await setStatus(context, bodyOf(subject.cid)), statuses, 'to such a body');
        await expectStored(subject, {});
      }),
  })),
  {
    id: 'update-status.foreign',
    clause: '§1, §7.1',
    title: 'A campaign of another member answers like an absent one',
    needs: ['member'],
    async run(context) {
      const { foreignCid } = context.known;
      if (foreignCid === undefined) throw new NotChecked('No campaign of another member is known.');
      const absent = await setStatus(context, { ids: [absentCid], status: 2 });
      const foreign = await setStatus(context, { ids: [foreignCid], status: 2 });
      expectStatus(foreign, [absent.status], 'as for an absent campaign');
      const named = (text: string, cid: number) => text.replaceAll(String(cid), 'CID');
      if (named(foreign.text, foreignCid) !== named(absent.text, absentCid)) {
        drift('the same answer as for an absent campaign', 'another one');
      }
    },
  },
];
