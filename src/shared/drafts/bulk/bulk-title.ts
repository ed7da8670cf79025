import { fieldLabel } from '../../campaign/index.ts';
import { statusVerb, valueInWords } from '../../wording/index.ts';
import { assertNever } from '../../lib/assert-never.ts';
import { fullDateText } from '../../lib/date-text.ts';
import { inertStart, quotedStart } from '../../lib/inert-text.ts';
import { amountInWords, shiftInWords } from '../words.ts';
import type { BulkEdit } from './bulk-edit.ts';
import { pasteSectionTitles, setKinds } from './bulk-fields.ts';
import type { Formats } from '../../lib/formats.ts';

const maxTextLength = 40;

/**
 * Describes an edit of `count` campaigns in one line for the history of drafts: `Bid +10% in 187 campaigns`. At most
 * 200 characters.
 */
export function bulkTitle(edit: BulkEdit, count: number, formats: Formats): string {
  const campaigns = formats.counted(count, 'campaign');
  switch (edit.kind) {
    case 'amount':
      return `${fieldLabel(edit.field)} ${amountWords(edit, formats)} in ${campaigns}`;
    case 'set':
      return `${setWords(edit)} in ${campaigns}`;
    case 'text':
      return `Replace ${quotedStart(edit.find, maxTextLength)} with ${quotedStart(edit.replacement, maxTextLength)} in ${campaigns}`;
    case 'members': {
      const entries = formats.counted(edit.members.length, 'entry', 'entries');
      const list = listLabel(edit.list);
      if (edit.change === 'add') return `Add ${entries} to ${list} of ${campaigns}`;
      if (edit.change === 'remove') return `Remove ${entries} from ${list} of ${campaigns}`;
      return `Replace ${list} of ${campaigns}`;
    }
    case 'targetAll':
      return `Target all values of ${listLabel(edit.list)} in ${campaigns}`;
    case 'schedule': {
      const hours = formats.counted(edit.hours.length, 'hour');
      if (edit.change === 'replace') return `Run ${hours} a week in ${campaigns}`;
      return `${edit.change === 'add' ? 'Add' : 'Remove'} ${hours} a week in ${campaigns}`;
    }
    case 'shiftStart':
      return `Start ${shiftInWords(edit.days, formats)} in ${campaigns}`;
    case 'shiftEnd':
      return `End ${shiftInWords(edit.days, formats)} in ${campaigns}`;
    case 'shiftFlight':
      return `Start and end ${shiftInWords(edit.days, formats)} in ${campaigns}`;
    case 'startOn':
      return `Start on ${fullDateText(edit.date)} in ${campaigns}`;
    case 'endOn':
      return `End on ${fullDateText(edit.date)} in ${campaigns}`;
    case 'noEnd':
      return `No end date in ${campaigns}`;
    case 'status':
      return `${statusVerb(edit.status)} ${campaigns}`;
    case 'paste': {
      const sections = edit.sections.map((section) => pasteSectionTitles[section].toLowerCase()).join(', ');
      const named = edit.sections.length > 3 ? formats.counted(edit.sections.length, 'section') : sections;
      return `Paste ${named} of campaign ${edit.source} into ${campaigns}`;
    }
    default:
      return assertNever(edit);
  }
}

function listLabel(list: string): string {
  return inertStart(fieldLabel(list), maxTextLength);
}

/** For example `Pacing on`. A type is named in the preview rows only, because this code does not have the account's types. */
function setWords({ field, value }: Extract<BulkEdit, { kind: 'set' }>): string {
  const label = fieldLabel(field);
  if (typeof value === 'string') return `${label} ${quotedStart(value, maxTextLength)}`;
  return setKinds[field] === 'switch'
    ? `${label} ${value === 1 ? 'on' : 'off'}`
    : `Another ${label.toLowerCase()}`;
}

function amountWords(
  { field, change, floor, cap }: Extract<BulkEdit, { kind: 'amount' }>,
  formats: Formats,
): string {
  const limits = [
    ...(floor === null ? [] : [`at least ${amountInWords(field, floor, formats)}`]),
    ...(cap === null ? [] : [`at most ${amountInWords(field, cap, formats)}`]),
  ];
  const beside = limits.length === 0 ? '' : `, ${limits.join(', ')},`;
  switch (change.kind) {
    case 'percent':
      return `${change.percent.startsWith('-') ? `−${change.percent.slice(1)}` : `+${change.percent}`}%${beside}`;
    case 'add':
      return `+${amountInWords(field, change.amount, formats)}${beside}`;
    case 'subtract':
      return `−${amountInWords(field, change.amount, formats)}${beside}`;
    default:
      return `${change.kind === 'set' ? valueInWords(field, change.value, { types: {} }, formats) : ''}${beside}`;
  }
}
