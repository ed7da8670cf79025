import { isStatusCode, statusNames } from '../contract/index.ts';
import { fullDateText } from '../lib/date-text.ts';
import { quotedStart } from '../lib/inert-text.ts';
import { serviceDay, type Author, type StatusGroup, suspended } from '../campaign/index.ts';
import type { Formats } from '../lib/formats.ts';

/** `3 Paused by you`, `2 Paused, not through this app`, `4 Scheduled`. */
export function groupInWords(group: StatusGroup, formats: Formats): string {
  return `${formats.count(group.cids.length)} ${kindInWords(group)}`;
}

/** Sentences on how a single Suspended campaign was suspended; absent where the app cannot tell. */
export function suspensionInWords(group: StatusGroup | undefined, zone: string): string {
  const name = statusNames[suspended];
  if (group?.origin?.kind === 'elsewhere') {
    return `The campaign is ${name}. It was not suspended through this app.`;
  }
  if (group?.origin?.kind !== 'app') return `The campaign is ${name}: someone removed it.`;
  const { by, lastAtMs } = group.origin;
  return `${asSubject(by)} suspended it on ${fullDateText(serviceDay(lastAtMs, zone).date)}.`;
}

/** The same for several: `3 campaigns are Suspended: 2 by you, 1 not through this app.` */
export function suspensionsInWords(count: number, groups: readonly StatusGroup[], formats: Formats): string {
  const campaigns = formats.counted(count, 'campaign is', 'campaigns are');
  const known = groups.filter(({ origin }) => origin?.kind === 'app' || origin?.kind === 'elsewhere');
  const left = count - known.reduce((sum, { cids }) => sum + cids.length, 0);
  if (left === count) {
    return `${campaigns} ${statusNames[suspended]}: someone removed ${count === 1 ? 'it' : 'them'}.`;
  }
  const [only, second] = known;
  if (only !== undefined && second === undefined && left === 0) {
    return `${campaigns} ${statusNames[suspended]}, ${howInWords(only.origin)}.`;
  }
  const parts = known.map(({ origin, cids }) => `${cids.length} ${howInWords(origin)}`);
  if (left > 0) parts.push(`${left} by someone unknown`);
  return `${campaigns} ${statusNames[suspended]}: ${parts.join(', ')}.`;
}

function kindInWords({ status, origin }: StatusGroup): string {
  const name = isStatusCode(status) ? statusNames[status] : `with status ${status}`;
  if (origin === null || origin.kind === 'unknown') return name;
  return `${name}${origin.kind === 'elsewhere' ? ',' : ''} ${howInWords(origin)}`;
}

function howInWords(origin: StatusGroup['origin']): string {
  return origin?.kind === 'app' ? `by ${asAgent(origin.by)}` : 'not through this app';
}

function asSubject(author: Author): string {
  const text = asAgent(author);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** Maximum length of an agent's name in a sentence, in code points. */
const maxNameLength = 80;

function asAgent({ kind, name }: Author): string {
  return kind === 'person' ? 'you' : `${kind} ${quotedStart(name, maxNameLength)}`;
}
