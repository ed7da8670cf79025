import {
  diffCampaigns,
  exposureOf,
  factsOf,
  fieldLabel,
  fieldWords,
  type ServiceMoment,
  type StatusGroup,
} from '../campaign/index.ts';
import type { CampaignContext } from '../contract/index.ts';
import type { Formats } from '../lib/formats.ts';
import { inertText } from '../lib/inert-text.ts';
import type { JsonObject } from '../lib/json/json-value.ts';
import { sentence } from '../lib/sentence.ts';
import { changeInWords } from './changes.ts';
import type { WriteWords } from './effects.ts';
import { moneyPair } from './money.ts';
import { type Warning, warningOf } from './severities.ts';
import { titles } from './titles.ts';
import { valueInWords } from './values.ts';
import { assessUpdate } from './warnings/assess.ts';

interface CampaignUpdate {
  before: JsonObject;
  after: JsonObject;
  context: CampaignContext;
  today: ServiceMoment;
  stoppedAs: readonly StatusGroup[];
  volatileFields: readonly string[];
}

export function updateWords(update: CampaignUpdate, formats: Formats): WriteWords {
  const { before, after, context, today, stoppedAs, volatileFields } = update;
  const exposure = { before: exposureOf(before, today), after: exposureOf(after, today) };
  const cid = Number(before['cid']);
  const effects = diffCampaigns(before, after).map((effect) => ({ ...effect, cid }));
  const { warnings, typeToConfirm, bidFactor, notes, headline } = assessUpdate(
    {
      before,
      after,
      changes: effects,
      context,
      today,
      exposureBefore: exposure.before,
      exposureAfter: exposure.after,
      stoppedAs,
    },
    formats,
  );
  const money = {
    perDay: moneyPair('perDay', exposure, formats),
    untilEnd: moneyPair('untilEnd', exposure, formats),
  };
  const changed = new Set(effects.map(({ field }) => field));
  return {
    title: titles.update(before, effects, context, formats),
    targets: [
      {
        cid,
        name: inertText(typeof before['name'] === 'string' ? before['name'] : ''),
        statusBefore: Number(before['status']),
        statusAfter: Number(after['status']),
        ...money,
      },
    ],
    risk: { ...money, bidFactor, notes, ...(headline !== null && { headline }) },
    warnings: [...warnings, ...volatileFields.map(volatileWarning)],
    typeToConfirm,
    changes: effects.map((effect) => changeInWords(effect, context, formats)),
    effects: { certainty: 'stated', changes: effects },
    facts: [{ cid, before: factsOf(before, context), after: factsOf(after, context) }],
    unchanged: fieldsInWords(after, context, formats).filter(({ field }) => !changed.has(field)),
  };
}

/** A volatile field is not compared before sending, so the write may overwrite another person's change. */
function volatileWarning(field: string): Warning {
  return warningOf(
    'volatile_field',
    sentence`${fieldWords(field)} keeps changing and is not compared again. Approving sends the value shown here.`,
  );
}

export function fieldsInWords(
  campaign: JsonObject,
  context: CampaignContext,
  formats: Formats,
): WriteWords['unchanged'] {
  return Object.entries(campaign).map(([field, value]) => ({
    field,
    label: fieldLabel(field),
    value: valueInWords(field, value, context, formats),
  }));
}
