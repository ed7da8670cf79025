import { exposureOf, fieldLabel, serviceDay, valueInWords, type Exposure } from '#shared/campaign/index.ts';
import { campaignEditSchema } from '#shared/contract/index.ts';
import { assertNever } from '#shared/lib/assert-never.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { moneyPair } from '../money-pair.ts';
import type { ProposalWords, Wording } from '../operation.ts';
import { statusWords } from '../status/index.ts';
import { contextOf, updateWords } from '../update/index.ts';
import { argsInWords } from './args-in-words.ts';
import { knownChange, toolCallParts, type ToolCallParts } from './base.ts';
import { commitTool } from './call-arguments.ts';
import { callTitle, guessTitle, plainCommit } from './titles.ts';
import { moneyNote, unknownMoney } from './unknown-money.ts';
import {
  argumentsOnly,
  callUnknown,
  effectAssumed,
  effectUnknown,
  notComparedWarnings,
  unseenWarnings,
} from './warnings.ts';

/** A tool call for people: the change that it makes, as far as the arguments prove one, and every argument. */
export function toolCallWords(wording: Wording): ProposalWords {
  const parts = toolCallParts(wording);
  const words = knownWords(parts, wording);
  const unseen = unseenWarnings(parts);
  const warnings = [...unseen, ...words.warnings, ...notComparedWarnings(parts)];
  // What carries a danger is decided alone.
  return { ...words, warnings, group: unseen.length === 0 ? words.group : null };
}

function knownWords(parts: ToolCallParts, wording: Wording): ProposalWords {
  const { subject } = parts;
  switch (subject.kind) {
    case 'update':
    case 'status':
      return changeWords(parts, wording);
    case 'campaign':
      return campaignWords(parts, { wording, read: subject.read });
    case 'arguments':
      return argumentWords(parts);
    default:
      return assertNever(subject);
  }
}

function detailOf({ name, args, tool, approvalEndsAtMs, subject }: ToolCallParts): ProposalWords['detail'] {
  return {
    kind: 'tool',
    name: inertText(name),
    title: tool.title === null ? null : inertText(tool.title),
    definitionHash: tool.definitionHash,
    known: subject.kind,
    prepared: approvalEndsAtMs !== null,
    args: argsInWords(args),
  };
}

/** The words of exactly the change in the arguments. Of any tool but the commit they are what the arguments look like. */
function changeWords(parts: ToolCallParts, wording: Wording): ProposalWords {
  const change = { ...wording, ...knownChange(parts), rebase: null };
  const words = parts.subject.kind === 'update' ? updateWords(change) : statusWords(change);
  const detail = detailOf(parts);
  if (parts.name === commitTool) return { ...words, detail };
  return {
    ...words,
    detail,
    title: guessTitle(parts, words.title),
    warnings: [...words.warnings, effectAssumed],
    group: null,
  };
}

function campaignWords(
  parts: ToolCallParts,
  { wording, read }: { wording: Wording; read: JsonObject },
): ProposalWords {
  const edit = campaignEditSchema.parse(read);
  const { campaign } = edit;
  const today = serviceDay(wording.createdAtMs, wording.profile.zone);
  const exposure = exposureOf(campaign, today);
  const name = typeof campaign['name'] === 'string' ? campaign['name'] : '';
  const status = Number(campaign['status']);
  const risk = riskFrom(exposure);
  const target = {
    cid: Number(campaign['cid']),
    name: inertText(name),
    statusBefore: status,
    statusAfter: status,
    perDay: risk.perDay,
  };
  return {
    ...nothingTold,
    title: plainCommit(parts) ?? callTitle(parts, name),
    targets: [target],
    risk,
    warnings: [effectUnknown],
    detail: detailOf(parts),
    unchanged: Object.entries(campaign).map(([field, value]) => ({
      field,
      label: fieldLabel(field),
      value: valueInWords(field, value, contextOf(edit)),
    })),
  };
}

function argumentWords(parts: ToolCallParts): ProposalWords {
  const plain = plainCommit(parts);
  return {
    ...nothingTold,
    title: plain ?? callTitle(parts),
    targets: [],
    risk: { ...nothingKnown, perDay: unknownMoney, untilEnd: unknownMoney },
    warnings: [plain === null ? callUnknown : argumentsOnly],
    detail: detailOf(parts),
    unchanged: [],
  };
}

/** What the campaign risks now is known, what it will risk is not. */
function riskFrom(exposure: Exposure): ProposalWords['risk'] {
  const now = (part: 'perDay' | 'untilEnd'): ProposalWords['risk']['perDay'] => ({
    before: moneyPair(part, { before: exposure, after: exposure }).before,
    after: unknownMoney.after,
  });
  return { ...nothingKnown, perDay: now('perDay'), untilEnd: now('untilEnd') };
}

const nothingKnown = { endsOn: null, bidFactor: null, notes: [moneyNote] };

const nothingTold = { typeToConfirm: null, changes: [], group: null } satisfies Partial<ProposalWords>;
