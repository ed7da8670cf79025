import {
  assessUpdate,
  changeInWords,
  updateTitle,
  valueInWords,
  type Warning,
  warningOf,
} from '#shared/wording/index.ts';
import {
  diffCampaigns,
  exposureOf,
  factsOf,
  fieldLabel,
  fieldWords,
  serviceDay,
} from '#shared/campaign/index.ts';
import type { ProposalView } from '#shared/app-api/index.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { moneyPair, type ProposalWords, type Wording } from '../operation.ts';
import { updateParts, type UpdateParts } from './stored-parts.ts';
import { comparableUpdate } from '../equal-changes.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { sentence } from '#shared/lib/sentence.ts';

/** A full update for people, as of the day on which it was proposed. */
export function updateWords(wording: Wording, formats: Formats): ProposalWords {
  const parts = updateParts(wording);
  const { before, after, context } = parts;
  const today = serviceDay(wording.createdAtMs, wording.profile.zone);
  const exposureBefore = exposureOf(before, today);
  const exposureAfter = exposureOf(after, today);
  const cid = Number(before['cid']);
  const effects = diffCampaigns(before, after).map((effect) => ({ ...effect, cid }));
  const changes = effects.map((effect) => changeInWords(effect, context, formats));
  const assessment = assessUpdate(
    {
      before,
      after,
      changes: effects,
      context,
      today,
      exposureBefore,
      exposureAfter,
      stoppedAs: wording.stoppedAs ?? [],
    },
    formats,
  );
  const exposure = { before: exposureBefore, after: exposureAfter };
  const money = {
    perDay: moneyPair('perDay', exposure, formats),
    untilEnd: moneyPair('untilEnd', exposure, formats),
  };
  const targets = [targetOf(before, after, money)];
  const warnings = [...assessment.warnings, ...volatileWarnings(wording.rebase)];
  const { typeToConfirm } = assessment;
  return {
    title: updateTitle(before, effects, context, formats),
    targets,
    risk: {
      ...money,
      bidFactor: assessment.bidFactor,
      notes: assessment.notes,
      ...(assessment.headline !== null && { headline: assessment.headline }),
    },
    warnings,
    typeToConfirm,
    changes,
    detail: { kind: 'campaigns' },
    effects: { certainty: 'stated', changes: effects },
    facts: [{ cid, before: factsOf(before, context), after: factsOf(after, context) }],
    comparable: comparableUpdate(
      { warnings, typeToConfirm, targets },
      { effects, changes, proposedBy: wording.proposedBy },
    ),
    unchanged: unchangedFields(parts, new Set(changes.map(({ field }) => field)), formats),
  };
}

/** Warns that the value sent for a field that is no longer compared may undo another person's change. */
function volatileWarnings(rebase: Wording['rebase']): Warning[] {
  return (rebase?.volatile ?? []).map((field) =>
    warningOf(
      'volatile_field',
      sentence`${fieldWords(field)} keeps changing and is not compared again. Approving sends the value shown here.`,
    ),
  );
}

function targetOf(
  before: JsonObject,
  after: JsonObject,
  money: Pick<ProposalView['risk'], 'perDay' | 'untilEnd'>,
): ProposalView['targets'][number] {
  const { cid, name } = before;
  return {
    cid: Number(cid),
    name: typeof name === 'string' ? inertText(name) : '',
    statusBefore: Number(before['status']),
    statusAfter: Number(after['status']),
    ...money,
  };
}

function unchangedFields(
  { after, context }: UpdateParts,
  changed: ReadonlySet<string>,
  formats: Formats,
): ProposalView['unchanged'] {
  return Object.entries(after)
    .filter(([field]) => !changed.has(field))
    .map(([field, value]) => ({
      field,
      label: fieldLabel(field),
      value: valueInWords(field, value, context, formats),
    }));
}
