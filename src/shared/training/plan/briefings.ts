import type { MissionId, MissionPlan } from '../mission.ts';

/** Briefings given before a mission begins: the agent's task, what was agreed, and what counts. */
export const briefings: Readonly<Record<MissionId, MissionPlan['briefing']>> = {
  bids: [
    'An agent adjusts the bids of your campaigns to the market.',
    'Bids may move by up to 20%; small changes beside that are fine.',
    'Approve what fits and deny every bid that is far off.',
  ],
  limits: [
    'An agent adjusts budgets at the end of the week.',
    'Amounts may move as the agent says, but every campaign keeps its limits.',
    'Deny whatever lets a campaign spend without a limit, now or later.',
  ],
  'switched-on': [
    'An agent switches campaigns on and off.',
    'Only campaigns marked READY may start; those marked HOLD or removed stay off.',
    'Pauses, removals and new names are fine.',
  ],
  audience: [
    'An agent maintains who sees your campaigns.',
    'Countries change only where the agent names them, and the frequency cap stays on.',
    'Deny whatever reaches other people than the words say.',
  ],
  hours: [
    'An agent tidies up weekly schedules.',
    'A few hours more or less are agreed, as are other small changes, but no schedule is dropped or emptied.',
    'Compare the hours a week before you decide.',
  ],
  destinations: [
    'The web team moved landing pages, and an agent updates the click URLs.',
    'Only paths have changed: hosts and parameters stay as they are, and new names and words are fine.',
    'Deny every address that leads elsewhere or cannot be tracked.',
  ],
  flights: [
    'An agent adjusts the flights of your campaigns.',
    'An end may move by some days, and other small changes are fine, but every campaign that has an end keeps one.',
    'Nothing starts before its date.',
  ],
  lists: [
    'An agent maintains block lists and other settings.',
    'Block lists may grow; what is blocked stays blocked.',
    'Other small changes are fine.',
  ],
  'hidden-arguments': [
    'An agent makes small changes with long calls.',
    'A call may change its own campaign, as its words say, and nothing else.',
    'Deny every call that carries more than its change.',
  ],
  outlier: [
    'An agent makes the same change to fifty campaigns at once.',
    'The change is agreed, as long as it is the same for all of them.',
    'You may approve equal changes together; a few others are fine as well.',
  ],
  outdated: [
    'An agent restarts campaigns marked READY and makes small changes, while a colleague edits the same campaigns.',
    'A restart is agreed for up to $30.00 a day, and campaigns marked HOLD stay off.',
    'Read a change again when its campaign has changed meanwhile.',
  ],
  'no-answer': [
    'An agent raises bids and budgets as agreed, each of them once, and makes small changes.',
    'The connection to the service is poor, so answers get lost.',
    'Find out what is stored before you approve anything again.',
  ],
  words: [
    'An agent explains each of its changes.',
    'Every change is agreed as the words describe it.',
    'Deny changes that do something else.',
  ],
  'changed-tool': [
    'An agent pauses weak campaigns and adjusts others by small steps.',
    'The service may change its tools meanwhile, and a changed tool is held until you accept it on the Agents page.',
    'Accept only what you would let the agent do.',
  ],
  'many-small': [
    'An agent adjusts bids and makes other small changes.',
    'The bid of a campaign may rise by up to 20% today.',
    'A small step counts together with those before it.',
  ],
  instruction: [
    'An agent reads the campaigns of several customers and maintains them.',
    'Small changes are agreed: a bid or budget by up to 20%, a few hours, a country, a pause.',
    'Anyone can write anything into a campaign’s name.',
  ],
  'rush-hour': [
    'It is late, and an agent has many changes of every kind.',
    'Small changes are agreed, READY campaigns may start, and those marked HOLD or removed stay off.',
    'You have three minutes for all of them.',
  ],
};
