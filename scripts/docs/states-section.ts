import { allowedMoves } from '#core/proposals/lifecycle/state-table.ts';
import type { ProposalState } from '#shared/app-api/index.ts';

/** What each state means, for readers of docs/architecture.md. */
const meanings: Record<ProposalState, string> = {
  proposed: 'prepared; not shown yet',
  shown: 'shown to a person',
  approved: 'a person approved; nothing is sent yet',
  intent: 'the record that it will be sent is on disk',
  sent: 'the service accepted it; the read-back is under way',
  verified: 'read back as asked',
  differs: 'read back, and something is different',
  done: 'the service says that it is done, and there is nothing to read back',
  refused: 'the service refused it, or did not store it',
  unknown: 'what is stored is not known; the campaign is locked until a read settles it, or none can',
  denied: 'a person denied it',
  expired: 'its time ran out before it was decided or sent',
  withdrawn: 'taken back before it was sent',
  stale: 'the campaign changed after it was shown',
};

const between = /(<!-- generated: states -->\n)[^]*(<!-- end: states -->)/;

/** `docs/architecture.md` with its table of states made anew from the code; everything else as it is. */
export function withStates(page: string): string {
  const rows = (Object.keys(meanings) as ProposalState[]).map((state) => {
    const next = allowedMoves[state].filter((to) => to !== state).map((to) => `\`${to}\``);
    return `| \`${state}\` | ${meanings[state]} | ${next.join(', ') || '–'} |`;
  });
  const table = ['| state | means | may become |', '| --- | --- | --- |', ...rows].join('\n');
  return page.replace(between, (_all, begin: string, end: string) => `${begin}\n${table}\n\n${end}`);
}
