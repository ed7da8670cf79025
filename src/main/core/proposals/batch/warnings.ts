import type { Warning } from '#shared/campaign/index.ts';
import { counted } from '#shared/lib/counted.ts';

/** From so many campaigns on, their number is worth a warning of its own. */
const manyCampaigns = 10;

/** So many different texts of one warning are listed; of more only the first, which then says how many there are. */
const mostTexts = 3;

/** The warnings of all members, each text once, with how many changes it is about. A danger is never counted away. */
export function batchWarnings(members: readonly (readonly Warning[])[], campaignCount: number): Warning[] {
  const all = members.flat();
  const kinds = new Map(all.map(({ code, severity }) => [`${severity} ${code}`, { code, severity }]));
  const united = [...kinds.values()].flatMap((kind) =>
    ofKind(
      all.filter(({ code, severity }) => code === kind.code && severity === kind.severity),
      members.length,
    ),
  );
  if (campaignCount < manyCampaigns) return united;
  const text = `${counted(campaignCount, 'campaign')} change at once.`;
  return [{ code: 'many_campaigns', severity: 'warning', text }, ...united];
}

function ofKind(warnings: readonly Warning[], memberCount: number): Warning[] {
  const texts = new Map<string, Warning[]>();
  for (const warning of warnings) texts.set(warning.text, [...(texts.get(warning.text) ?? []), warning]);
  const groups = [...texts.values()];
  if (groups.length > mostTexts && warnings[0]?.severity !== 'danger')
    return [saidOnce(warnings, memberCount)].flat();
  return groups.flatMap((alike) => saidOnce(alike, memberCount));
}

/** One warning for all that are alike, with how many changes it is about. */
function saidOnce(alike: readonly Warning[], memberCount: number): Warning[] {
  const [first] = alike;
  if (first === undefined) return [];
  if (memberCount === 1) return [first];
  const texts = new Set(alike.map(({ text }) => text)).size;
  const about =
    alike.length === memberCount
      ? `All ${counted(memberCount, 'change')}`
      : `${alike.length} of ${counted(memberCount, 'change')}`;
  return [{ ...first, text: `${about}${texts > 1 ? ', for example' : ''}: ${first.text}` }];
}
