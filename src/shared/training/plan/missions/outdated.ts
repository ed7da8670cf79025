import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { type Chain, type Draft, goodChains, goodDraft, type Making } from '../draft.ts';
import { beyondLimit, everyClick } from '../traffic.ts';
import { amountText, over } from '../variations/variation.ts';

/** Restarts that become faults by what a colleague edits meanwhile, restarts and others that stay good, and plain changes. */
export function outdatedChains(making: Making): Chain[] {
  const { random } = making;
  return [
    ...Array.from({ length: random.integer(2, 3) }, () => [overtaken(making)]),
    ...random
      .shuffled(['a lower bid', 'a restart at $25 a day without an end', 'a country fewer'])
      .slice(0, 2)
      .map((name) => [renamedMeanwhile(name, making)]),
    ...goodChains(
      ['a bid 10% higher', 'a few hours fewer', 'a lower daily budget', 'an earlier end'],
      random.integer(3, 4),
      making,
    ),
  ];
}

/** A colleague's edit, and what the restart does after it. */
interface Edit {
  fields: JsonObject;
  what: string;
  where: string;
}

function overtaken({ pool, random }: Making): Draft {
  const taken = pool.take();
  const daily = random.pick([20, 25, 30]);
  const subject = pool.with(taken, {
    name: `READY · ${taken.name}`,
    status: 3,
    d_revenue: daily,
    t_revenue: daily * 30,
  });
  const more = random.pick([1500, 2000, 2500]);
  const edits: readonly Edit[] = [
    {
      fields: { d_revenue: more, t_revenue: 0 },
      what: `While it waited, a colleague raised the daily budget to ${amountText(more)}. The restart would spend that.`,
      where: `The change came back as out of date, with ${amountText(more)} per day at risk.`,
    },
    {
      fields: { enable_budget: 0 },
      what: 'While it waited, a colleague switched the budgets off. The restart would spend without a limit.',
      where: 'The change came back as out of date, with “Unlimited” per day at risk.',
    },
    {
      fields: { name: `HOLD · ${taken.name}`, d_revenue: 400, t_revenue: 0 },
      what: 'While it waited, a colleague put the campaign on hold. It must stay off.',
      where: 'The change came back as out of date, and the name begins with HOLD now.',
    },
  ];
  const { fields, what, where } = random.pick(edits);
  const after = over(subject, fields, { status: 1 });
  const costPerDayMicros =
    after['enable_budget'] === 0 ? beyondLimit(subject.campaign, after) : everyClick(after);
  return {
    subjects: [subject],
    // A complete update is compared with the campaign in every field.
    write: { kind: 'update', cid: subject.cid, fields: { status: 1 } },
    says: random.pick(['Marked READY: restarts it.', `Restarts it at ${amountText(daily)} a day.`]),
    incident: { at: 'waiting', incident: { kind: 'edit', cid: subject.cid, fields } },
    fault: { kind: 'outdated', what, where, costPerDayMicros },
  };
}

/** A good change that a harmless edit makes out of date: what comes back is good as well. */
function renamedMeanwhile(name: string, making: Making): Draft {
  const draft = goodDraft(name, making);
  const [subject] = draft.subjects;
  if (subject === undefined) throw new Error(`${name} has no campaign`);
  const fields = {
    name: `${subject.name} ${making.random.pick(['(Ana)', '(Q1)', '(team 2)'])}`,
  };
  return { ...draft, incident: { at: 'waiting', incident: { kind: 'edit', cid: subject.cid, fields } } };
}
