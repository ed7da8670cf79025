import { counted } from '#shared/lib/counted.ts';
import type { Rule } from '../asked.ts';

const msPerMinute = 60_000;

/** By what the agent has proposed, whatever became of it. What Countersign asks again on a moved base is not its own. */
export const pace: Rule = ({ guardrails, agentId, draft, history, nowMs }) => {
  if (guardrails.pace === null || draft.rebase !== null) return null;
  const { changes, minutes } = guardrails.pace;
  const window = minutes * msPerMinute;
  const proposedAt = history.proposedAtOfAgent(agentId, nowMs - window);
  // The oldest of those that fill the window; when it leaves, there is room for one.
  const leaving = proposedAt[changes - 1];
  if (leaving === undefined) return null;
  const wait = Math.max(1, Math.ceil((leaving + window - nowMs) / msPerMinute));
  const limit = `One agent may propose ${counted(changes, 'change')} in ${counted(minutes, 'minute')} at most.`;
  return `${limit} The next one passes in ${counted(wait, 'minute')}.`;
};
