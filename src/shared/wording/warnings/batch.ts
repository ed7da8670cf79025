import type { Formats } from '../../lib/formats.ts';
import { joinSentences, ownWords, sentence } from '../../lib/sentence.ts';
import { type Warning, warningOf } from '../severities.ts';

const manyCampaigns = 10;

/** Maximum number of different texts listed for one warning; beyond it only the first is listed. */
const maxTexts = 3;

/** So many changes are named in a warning that is about them; more are counted, and each of them has it in its row. */
const maxNamed = 3;

/** The warnings of one member. `name` is null for a change of several campaigns, whose words count them. */
export interface WarnedMember {
  warnings: readonly Warning[];
  name: string | null;
}

/** Warnings with the members that they are about. */
interface SharedWarnings {
  /** Those that a line says. */
  warnings: readonly Warning[];
  /** Those that it says or stands for. */
  all: readonly Warning[];
  about: readonly number[];
  /** The one that is listed stands for others of its kind. */
  isExample: boolean;
}

/**
 * The warnings of all members. Those about the same members are one line for each severity; a danger is never counted away. `rows` has,
 * for each member, what no line names it for.
 */
export function batchWarnings(
  members: readonly WarnedMember[],
  campaignCount: number,
  formats: Formats,
): { lines: Warning[]; rows: Warning[][] } {
  const shared = sharedWarnings(members);
  const isAbove = ({ about, warnings: [first] }: SharedWarnings): boolean =>
    about.length === members.length || first?.severity !== 'notice';
  const isNamed = ({ about }: SharedWarnings): boolean =>
    about.length === members.length || about.length <= maxNamed;
  const isSaid = new Set(
    shared.filter((one) => isAbove(one) && isNamed(one)).flatMap(({ all }) => all.map(keyOf)),
  );
  const text = sentence`${ownWords(formats.counted(campaignCount, 'campaign'))} change at once.`;
  return {
    lines: [
      ...(campaignCount < manyCampaigns ? [] : [warningOf('many_campaigns', text)]),
      ...inLines(shared.filter(isAbove)).flatMap((line) => lineOf(line, members, formats)),
    ],
    rows: members.map(({ warnings }) => warnings.filter((warning) => !isSaid.has(keyOf(warning)))),
  };
}

function keyOf({ severity, code, text }: Warning): string {
  return `${severity} ${code} ${text}`;
}

/** Each text once, with the members that have it. Of a kind with many texts the first stands for all, unless it is a danger. */
function sharedWarnings(members: readonly WarnedMember[]): SharedWarnings[] {
  const all = members.flatMap(({ warnings }, index) => warnings.map((warning) => ({ warning, index })));
  const kinds = Map.groupBy(all, ({ warning }) => `${warning.severity} ${warning.code}`);
  return [...kinds.values()].flatMap((kind) => {
    const byText = [...Map.groupBy(kind, ({ warning }) => warning.text).values()];
    const isCounted = byText.length > maxTexts && kind[0]?.warning.severity !== 'danger';
    return (isCounted ? [kind] : byText).map((alike) => ({
      warnings: alike.slice(0, 1).map(({ warning }) => warning),
      all: alike.map(({ warning }) => warning),
      about: [...new Set(alike.map(({ index }) => index))],
      isExample: isCounted,
    }));
  });
}

/** Warnings of one severity about the same members are one line. */
function inLines(shared: readonly SharedWarnings[]): SharedWarnings[] {
  const lines = Map.groupBy(
    shared,
    ({ warnings, about, isExample }) => `${warnings[0]?.severity ?? ''} ${about.join()} ${isExample}`,
  );
  return [...lines.values()].flatMap(([first, ...others]) =>
    first === undefined
      ? []
      : [{ ...first, warnings: [first, ...others].flatMap(({ warnings }) => warnings) }],
  );
}

function lineOf(line: SharedWarnings, members: readonly WarnedMember[], formats: Formats): Warning[] {
  const [first] = line.warnings;
  if (first === undefined) return [];
  const texts = joinSentences(line.warnings.map(({ text }) => text));
  const who = whoOf(line, members, formats);
  return [{ ...first, text: who === null ? texts : sentence`${ownWords(who)}: ${ownWords(texts)}` }];
}

/** `Each campaign`, `“DE push – summer” (1042)`, `5 of 12 changes, for example`; null for one change, or one of several campaigns. */
function whoOf(
  { about, isExample }: SharedWarnings,
  members: readonly WarnedMember[],
  formats: Formats,
): string | null {
  const names = about.map((index) => members[index]?.name ?? null);
  const isNameless = names.includes(null);
  if (members.length === 1 || (names.length === 1 && isNameless)) return null;
  const isAll = about.length === members.length;
  const count = formats.counted(members.length, 'change');
  const counted = isAll ? `All ${count}` : `${formats.count(about.length)} of ${count}`;
  if (isExample) return `${counted}, for example`;
  if (isNameless) return counted;
  if (isAll) return 'Each campaign';
  return names.length <= maxNamed ? names.join(', ') : counted;
}
