import { writes } from '../../check.ts';
import { envelopeOf } from '../../expect.ts';
import { expectInvalid, expectStored } from './expect-stored.ts';
import { updateLimits } from './limits.ts';
import { onPausedCampaign } from './restoring.ts';

/** Every limit on both sides, and the normalising of selectors (contract §2.4, §8). */
export const updateLimitChecks = writes([
  ...updateLimits.map(({ id, clause, title, names, fits, within, beyond }) => ({
    id,
    clause,
    title,
    needs: ['member'] as const,
    run: (context: Parameters<typeof onPausedCampaign>[0]) =>
      onPausedCampaign(context, fits, async (subject) => {
        for (const changes of beyond(subject))
          await expectInvalid(subject, await subject.put(changes), names);
        for (const changes of within(subject)) {
          envelopeOf(await subject.put(changes), 'member');
          await expectStored(subject, changes);
        }
      }),
  })),
  {
    id: 'update.all-values',
    clause: '§2.4',
    title: 'A flag of 1 means all values: its list becomes []',
    needs: ['member'],
    run: (context) =>
      onPausedCampaign(
        context,
        () => true,
        async (subject) => {
          envelopeOf(await subject.put({ geo_enabled: 1, geo: ['DE', 'AT'] }), 'member');
          await expectStored(subject, { geo_enabled: 1, geo: [] });
        },
      ),
  },
]);
