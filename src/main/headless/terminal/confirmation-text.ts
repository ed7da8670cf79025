import type { ProposalView } from '#shared/app-api/index.ts';
import {
  alwaysUnlimitedText,
  appendDay,
  campaignCountText,
  perDayWords,
  untilEndWords,
} from '#shared/wording/index.ts';
import { assertNever } from '#shared/lib/assert-never.ts';
import { inertText, quoted } from '#shared/lib/inert-text.ts';
import { admissionText, batchText, changeText, statusText, warningText } from './proposal-text.ts';
import type { Style } from './style.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

/** Words and figures of the confirmation window, which the core makes. Every text is safe for a terminal. */
export function confirmationText(proposal: ProposalView, nowMs: number, style: Style): string[] {
  const { warnings, typeToConfirm, quotation, payload, fingerprint, detail } = proposal;
  const isAdmission = detail.kind === 'admission';
  return [
    headText(proposal, nowMs, style),
    style.strong(inertText(proposal.title)),
    '',
    ...(isAdmission ? [] : riskText(proposal, style)),
    ...warnings.map((warning) => warningText(warning, style)),
    ...outdatedText(proposal, style),
    ...factsText(proposal, style),
    '',
    ...contentText(proposal, style),
    ...(quotation === null ? [] : [`${proposedBy(proposal)} says: ${quoted(quotation)}`]),
    ...(typeToConfirm === null
      ? []
      : [`${inertText(typeToConfirm.label)}: ${inertText(typeToConfirm.value)}`]),
    style.quiet(`Raw payload: ${byteCount(payload)}, printed when you type payload`),
    style.quiet(`fingerprint ${groups(fingerprint)}`),
  ];
}

function factsText({ facts, detail }: ProposalView, style: Style): string[] {
  if (facts.length === 0) return [];
  const width = Math.max(...facts.map(({ label }) => label.length));
  const isNow = detail.kind === 'tool' && detail.known === 'campaign';
  return [
    '',
    style.quiet(isNow ? '── Facts, as they are now' : '── Facts'),
    ...facts.map(({ label, value, before }) => {
      const old = before === undefined ? '' : style.quiet(` was ${inertText(before)}`);
      return `  ${label.padEnd(width)}  ${inertText(value)}${old}`;
    }),
  ];
}

function contentText(proposal: ProposalView, style: Style): string[] {
  const { detail } = proposal;
  switch (detail.kind) {
    case 'admission':
      return admissionText(detail, proposal, style);
    case 'batch':
      return batchText(detail, style);
    case 'tool':
      return [
        ...(detail.known === 'task'
          ? proposal.changes.map(({ label, after }) => `${inertText(label)}: ${inertText(after)}`)
          : isChangeKnown(detail)
            ? changesText(proposal, style)
            : namedText(proposal, style)),
        ...toolText(detail, style),
      ];
    case 'campaigns':
      return changesText(proposal, style);
    default:
      return assertNever(detail);
  }
}

function namedText({ targets, unchanged }: ProposalView, style: Style): string[] {
  return [
    ...targets.map(
      ({ cid, name, statusBefore, perDay }) =>
        `It names ${quoted(name)} (${cid}), ${statusText(statusBefore)}, at risk now ${inertText(perDay.before.text)} per day.`,
    ),
    ...(unchanged.length === 0
      ? []
      : [
          style.quiet(
            `── The campaign as it is now: ${defaultFormats.counted(unchanged.length, 'field')}, printed when you type fields`,
          ),
        ]),
  ];
}

function changesText({ changes, unchanged }: ProposalView, style: Style): string[] {
  const printed = unchanged.length === 0 ? '' : ', printed when you type fields';
  return [
    style.quiet(
      `── What changes (${changes.length} of ${defaultFormats.counted(changes.length + unchanged.length, 'field')})`,
    ),
    ...changes.flatMap((change) => changeText(change, style)),
    style.quiet(`── What stays: ${defaultFormats.counted(unchanged.length, 'field')} identical${printed}`),
  ];
}

export function fieldsText({ unchanged }: ProposalView): string[] {
  return unchanged.map(({ label, value }) => `  ${inertText(label)}: ${inertText(value)}`);
}

function headText(proposal: ProposalView, nowMs: number, style: Style): string {
  const { profile, expiresAtMs, approvalEndsAtMs = Infinity } = proposal;
  const left = defaultFormats.timeLeft(Math.min(expiresAtMs, approvalEndsAtMs), nowMs);
  const who = style.demo(`■ ${profile.kind === 'live' ? 'LIVE' : 'Demo'} · ${inertText(profile.name)}`);
  return `${who} · account ${inertText(profile.account)} · proposed by ${proposedBy(proposal)} · ${left}`;
}

function proposedBy({ proposedBy: proposer, detail }: ProposalView): string {
  const who = detail.kind === 'batch' ? detail.askedBy : [proposer];
  return who.map(askerText).join(', ');
}

function askerText({ kind, name }: { kind: 'person' | 'agent' | 'schedule'; name: string }): string {
  if (kind === 'schedule') return `schedule ${quoted(name)}`;
  return kind === 'agent' ? `${quoted(name)} (agent)` : inertText(name);
}

function outdatedText({ rebase }: ProposalView, style: Style): string[] {
  if (rebase === null) return [];
  const why =
    rebase.preparedAgain === true
      ? `Prepared again, because its time had ended. Nothing was sent. ${rebase.moved.length === 0 ? 'Nothing else has changed since.' : 'What has changed since:'}`
      : 'Someone else changed this campaign after you approved. Nothing was sent. This is your change on what it is now:';
  return ['', style.warning(why), ...rebase.moved.flatMap((change) => changeText(change, style))];
}

const byteCount = (text: string): string => defaultFormats.counted(Buffer.byteLength(text), 'byte');

function groups(hash: string): string {
  return (hash.match(/.{1,4}/g) ?? []).join(' ');
}

type Risk = ProposalView['risk'];

function riskText({ risk, queue }: Pick<ProposalView, 'risk' | 'queue'>, style: Style): string[] {
  const {
    campaignCount = 1,
    alwaysUnlimited: apart = { perDay: 0, untilEnd: 0 },
    bidFactor,
    headline,
  } = risk;
  const year = new Date().getFullYear();
  const perDay = perDayWords(risk.perDay, year);
  const untilEnd = untilEndWords(risk.untilEnd, year);
  const rows: [string, string][] = [
    [`${perDay.label}${campaignCountText(campaignCount, apart.perDay)}`, pair(risk.perDay, perDay, style)],
    [
      `${untilEnd.label}${campaignCountText(campaignCount, apart.untilEnd)}`,
      pair(risk.untilEnd, untilEnd, style),
    ],
  ];
  if (headline !== undefined) {
    const { label, before, after, delta } = headline;
    const difference = delta === undefined ? '' : `  ${inertText(delta)}`;
    const old = before === undefined ? '' : `${inertText(before)} → `;
    rows.unshift([inertText(label), `${old}${style.strong(inertText(after))}${difference}`]);
  }
  if (bidFactor !== null) rows.push(['bid', style.strong(inertText(bidFactor))]);
  if (queue !== null) {
    const words = perDayWords(queue.perDay, year);
    rows.push([`${words.label}, whole queue (${queue.count})`, pair(queue.perDay, words, style)]);
  }
  const width = Math.max(...rows.map(([label]) => label.length));
  return [
    'AT RISK',
    ...rows.map(([label, figure]) => `  ${label.padEnd(width)}  ${figure}`),
    ...alwaysUnlimitedText(apart).map((line) => `  ${line}`),
    ...risk.notes.map((note) => style.quiet(`  ${inertText(note)}`)),
  ];
}

function pair(
  { before, after }: Risk['perDay'],
  words: ReturnType<typeof perDayWords>,
  style: Style,
): string {
  const text = appendDay(inertText(after.text), words.after);
  if (!words.isChanged) return text;
  const isFreed = after.unlimited && !before.unlimited;
  const to = isFreed ? style.loss(text) : style.strong(text);
  return `${appendDay(inertText(before.text), words.before)} → ${to}`;
}

type ToolCall = Extract<ProposalView['detail'], { kind: 'tool' }>;

function isChangeKnown({ known }: ToolCall): boolean {
  return known === 'update' || known === 'status';
}

function toolText(call: ToolCall, style: Style): string[] {
  const { name, title, prepared, args } = call;
  const isListed = (path: string): boolean => call.effect === 'stated' && /^payload[.[]/.test(path);
  const listed = args.filter(({ path }) => isListed(path)).length;
  const called = title === null ? '' : ` (${quoted(title)})`;
  return [
    style.quiet(`── The call: ${inertText(name)}${called}`),
    prepared ? '  Prepared by the service; unchanged.' : '  Countersign did not see it being prepared.',
    ...args
      .filter(({ path }) => !isListed(path))
      .map(({ path, value }) => `  ${inertText(path)}: ${inertText(value)}`),
    ...(listed === 0
      ? []
      : [`  payload: ${defaultFormats.counted(listed, 'value')}; their changes are listed above`]),
  ];
}
