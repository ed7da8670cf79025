import { type ChangeView, fieldLabel, type MoneyPair, returnMoment } from '../campaign/index.ts';
import { isStatusCode, type StatusCode, statusNames } from '../contract/index.ts';
import type { Formats } from '../lib/formats.ts';
import { inertText, quotedStart } from '../lib/inert-text.ts';
import { ownWords, sentence } from '../lib/sentence.ts';
import type { CampaignEffect, StatusChange, StatusTarget, TargetView, WriteWords } from './effects.ts';
import { moneyOf, moneyPair } from './money.ts';
import { bySeverity, type WarningCode } from './severities.ts';
import { titles } from './titles.ts';
import { assessStatus, mixedWarnings, pendingWarnings, suspendedWarnings } from './warnings/status.ts';

export function statusWords(change: StatusChange, formats: Formats): WriteWords {
  const { targets, payload, targeted, countedFrom, stoppedAs, zone, returnAtMs, isOwn } = change;
  const { status } = payload;
  const changing = targets.filter(({ row }) => row.status !== status);
  const staying = targets.filter(({ row }) => row.status === status);
  const isOne = targets.length === 1;
  const until = returnAtMs === null ? null : returnMoment(returnAtMs, zone);
  const assessed = assessStatus({ to: status, changing, stayingCount: staying.length }, formats);
  const previousStatuses = changing.map(({ row }) => row.status);
  const rows = changing.map(({ cid, row }) => ({ cid, status: row.status }));
  const views = targets.map((target) => statusTargetView(target, change, formats));
  const changingViews = views.filter(({ statusBefore }) => statusBefore !== status);
  return {
    title: titles.status({ names: changing.map(({ name }) => name), to: status, targeted, until }, formats),
    targets: views,
    risk: {
      ...moneyOf(changingViews, changing.length, formats),
      bidFactor: null,
      notes: [
        ...(until === null ? [] : [sentence`Returns ${ownWords(`${until} (${zone})`)}: will ask you again.`]),
        ...(targeted === 'all' ? [] : [skipsStoppedNote]),
        ...(countedFrom === 'list' ? [countedFromListNote] : []),
        ...assessed.notes,
      ],
    },
    effects: { certainty: 'stated', changes: changing.map((target) => statusEffect(target, status)) },
    facts: factsOfAll(changing),
    warnings: [
      ...assessed.warnings.filter(({ code }) => !isOwn || !shownInTitle.has(code)),
      ...suspendedWarnings(previousStatuses, status, { known: stoppedAs, zone }, formats),
      ...mixedWarnings(rows, status, stoppedAs, formats),
      ...pendingWarnings(previousStatuses, status, formats),
    ].toSorted(bySeverity),
    typeToConfirm: assessed.typeToConfirm,
    changes: changing.map((target) => ({
      ...rowChange(target, isOne, 'status'),
      before: statusInWords(target.row.status),
      after: statusNames[status],
    })),
    unchanged: staying.map((target) => {
      const { field, label } = rowChange(target, isOne, 'status');
      return { field, label, value: statusNames[status] };
    }),
  };
}

/** Warnings to omit, because the title already names the number of campaigns that stop. */
const shownInTitle: ReadonlySet<WarningCode> = new Set<WarningCode>(['several_campaigns', 'many_campaigns']);

/** Empty unless the facts of every campaign are known, because a fact is stated about all of them. */
function factsOfAll(changing: readonly StatusTarget[]): WriteWords['facts'] {
  const known = changing.flatMap(({ cid, facts }) =>
    facts === undefined ? [] : [{ cid, before: facts, after: facts }],
  );
  return known.length === changing.length ? known : [];
}

function statusEffect({ cid, row }: StatusTarget, status: StatusCode): CampaignEffect {
  const none = { members: null, isKnown: true, measure: { kind: 'none' } } as const;
  return { cid, field: 'status', before: row.status, after: status, ...none };
}

const skipsStoppedNote = sentence`Campaigns that stop meanwhile or have another change in progress are skipped.`;
const countedFromListNote = sentence`Counted from the list, without flights and hours: it may be less.`;

export function statusTargetView(
  { cid, name, row, exposure }: StatusTarget,
  { payload: { status }, countedFrom }: Pick<StatusChange, 'payload' | 'countedFrom'>,
  formats: Formats,
): TargetView {
  const untilEnd = moneyPair('untilEnd', exposure, formats);
  return {
    cid,
    name: inertText(name),
    statusBefore: row.status,
    statusAfter: status,
    perDay: moneyPair('perDay', exposure, formats),
    untilEnd: countedFrom === 'list' ? withoutEnd(untilEnd) : untilEnd,
  };
}

/** Removes the end, because a list row does not contain the end of a campaign. */
function withoutEnd({ before, after }: MoneyPair): MoneyPair {
  const { until: _before, ...first } = before;
  const { until: _after, ...last } = after;
  return { before: first, after: last };
}

interface NamedCampaign {
  cid: number;
  name: string;
}

const maxNameLength = 300;

export function rowChange(target: NamedCampaign, isOne: boolean, field: string): ChangeView {
  return changeOfCampaign(target, isOne, { field, label: fieldLabel(field) });
}

export function changeOfCampaign(
  { cid, name }: NamedCampaign,
  isOne: boolean,
  { field, label }: Pick<ChangeView, 'field' | 'label'>,
): ChangeView {
  return {
    ...plainChange(isOne ? field : `${cid}.${field}`, ''),
    label: isOne ? label : `${label} of ${quotedStart(name, maxNameLength)} (${cid})`,
  };
}

export function plainChange(field: string, label: string, after = ''): ChangeView {
  return {
    field,
    label,
    before: '',
    after,
    delta: null,
    factor: null,
    added: [],
    removed: [],
    schedule: null,
  };
}

export function statusInWords(status: number): string {
  return isStatusCode(status) ? statusNames[status] : String(status);
}
