import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { beyondLimit, overpaid } from '../traffic.ts';
import { bidText, numberOf, over, type PlantedVariation, type Scene, times } from './variation.ts';

/** A fault of the change itself, beneath an argument of many members. */
const padded: PlantedVariation['vary'] = (scene) => {
  const { subject, random } = scene;
  const beside = padding(scene);
  const count = Object.keys(beside).length;
  const bid = numberOf(subject, 'payout');
  const faults = [
    {
      fields: { enable_budget: 0 },
      what: 'Budgets are switched off.',
      where: 'the money at risk said “Unlimited”',
      costPerDayMicros: beyondLimit(subject.campaign, over(subject, { enable_budget: 0 })),
    },
    {
      fields: { payout: times(bid, 10) },
      what: 'The bid becomes ten times as high.',
      where: `the largest figure said ×10: ${bidText(bid)} → ${bidText(times(bid, 10))}`,
      costPerDayMicros: overpaid(subject.campaign, over(subject, { payout: times(bid, 10) })),
    },
  ];
  const { fields, what, where, costPerDayMicros } = random.pick(faults);
  return {
    change: { fields, beside },
    says: random.pick(['Routine clean-up, names only.', 'Adds notes to the campaign. Nothing else.']),
    wrong: {
      what: `${what} ${count} more arguments hide it.`,
      where: `Above all the arguments, ${where}.`,
      costPerDayMicros,
    },
  };
};

function padding({ random }: Scene): JsonObject {
  const name = random.pick(['meta', 'note', 'tag', 'info']);
  const routine = { kind: random.pick(['routine clean-up', 'naming', 'labels']), note: 'names only' };
  return Object.fromEntries(
    Array.from({ length: random.integer(60, 160) }, (_entry, at) => [
      `${name}_${at + 1}`,
      { ...routine, step: at + 1 },
    ]),
  );
}

/** A harmless change of one campaign, and a list of others beside it. */
const bulk: PlantedVariation['vary'] = ({ subject, random, cids }) => {
  const argument = random.pick(['campaignIds', 'campaign_ids', 'cids']);
  const others = random.some(
    cids.filter((cid) => cid !== subject.cid),
    random.integer(12, 30),
  );
  return {
    change: { fields: { name: `${subject.name} v2` }, beside: { [argument]: others } },
    says: random.pick(['Renames the campaign.', 'New version number in the name.']),
    wrong: {
      what: `The call also names ${others.length} other campaigns, which the service may change.`,
      where: `The largest figure said 1 → ${others.length + 1} campaigns, and a warning named the argument ${argument}.`,
      costPerDayMicros: null,
    },
  };
};

/** Faults beside a change, by the names of their cases. */
export const plantedCalls: Readonly<Record<string, PlantedVariation>> = {
  'padded call': { kind: 'hiddenArguments', vary: padded },
  'bulk behind one cid': { kind: 'hiddenArguments', vary: bulk },
};
