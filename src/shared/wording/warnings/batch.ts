import type { Formats } from '../../lib/formats.ts';
import { joinSentences, ownWords, sentence } from '../../lib/sentence.ts';
import { type Warning, warningOf } from '../severities.ts';

const manyCampaigns = 10;

/** Different texts listed for one warning; with more, only the first. */
const maxTexts = 3;

/** Members named in a warning; more are counted, and each has it in its row. */
const maxNamed = 3;

/** `name` is null for a change of several campaigns. */
export interface WarnedMember {
  warnings: readonly Warning[];
  name: string | null;
}

interface SharedWarnings {
  /** The warnings whose texts stand in the line. */
  warnings: readonly Warning[];
  /** Every warning that the line covers, also those for which an example stands. */
  all: readonly Warning[];
  about: readonly number[];
  /** The listed text is an example of its kind. */
  isExample: boolean;
}

/** Warnings about the same members share a line for each severity; a danger is never counted away. `rows`: per member, what no line names it for. */
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

/** With many texts of a kind the first stands for all, unless it is a danger. */
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

/** `Each campaign`, `“DE push – summer” (1042)`, `5 of 12 changes, for example`; null for one change. */
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
