import { entry } from './catalogue-entry.ts';
import type { CatalogueEntry } from './catalogue-entry.ts';

/** Failures between an agent and the gate: the gateway, guardrails, pinned tools, batches and the emergency stop. */
export const agentFailures = {
  gateway_port_taken: entry(
    503,
    'warn',
    'Another program uses the port at which agents connect.',
    'End that program and try again, or choose another port on the Agents page.',
  ),
  gateway_closed: entry(
    503,
    'info',
    'Agents cannot connect now.',
    'Try again on the Agents page; where that does not help, start Countersign anew.',
  ),
  admission_taken_back: entry(
    409,
    'info',
    'The agent no longer waits for an answer. It was not admitted.',
    'Connect the agent again where it is still wanted.',
  ),
  agent_unknown: entry(404, 'info', 'There is no such agent.', 'Look at the Agents page.'),
  agent_ended: entry(
    403,
    'info',
    'The agent’s access ended before a decision. Nothing was sent.',
    'Let the agent in again where its change is still wanted.',
  ),
  agents_frozen: entry(
    403,
    'info',
    'A person has frozen all agents. Nothing was done.',
    'Wait until the person lets agents work again; do not repeat the call unasked.',
  ),
  waiting_for_person: entry(
    202,
    'info',
    'Not executed: waiting for confirmation by a person.',
    'Call countersign_await with the proposal id to learn what the person decided.',
  ),
  denied_by_person: entry(
    403,
    'info',
    'A person denied this change. Nothing was sent.',
    'Do not propose the same change again unasked.',
  ),
  answer_lost: entry(
    502,
    'warn',
    'The change was executed. The service’s own answer was lost.',
    'Read the current state. Do not repeat the call.',
  ),
  due_approval_ended: entry(
    409,
    'info',
    'The service’s approval of this due change has ended. Nothing was sent.',
    'The schedule asks again when it is next due. Change the campaign yourself where it cannot wait.',
  ),
  task_unknown: entry(
    404,
    'info',
    'This schedule is not among those that the service lists.',
    'Refresh the Schedules page.',
  ),
  guardrail: entry(
    403,
    'info',
    'A guardrail of this app does not let agents propose this.',
    'Propose a smaller change, or ask the person who runs Countersign.',
  ),
  tool_held: entry(
    409,
    'info',
    'The service has changed this tool. It is held until a person has looked at it.',
    'Ask the person to look at the tool on the Agents page of Countersign, then call it again.',
  ),
  tool_moved: entry(
    409,
    'info',
    'The service has changed the tool again meanwhile.',
    'Look at it as it is now.',
  ),
  tool_not_readable: entry(
    403,
    'info',
    'This tool cannot be treated as a read.',
    'It stays a write: each call waits for a person.',
  ),
  prepared_differs: entry(
    409,
    'info',
    'The payload is not the one that was prepared.',
    'Commit the payload unchanged, or prepare again.',
  ),
  approval_unseen: entry(
    409,
    'info',
    'Nobody was asked: Countersign has not seen that this approval was prepared for you.',
    'Prepare the change again through Countersign, and commit what it gives unchanged.',
  ),
  proposal_withdrawn: entry(
    409,
    'info',
    'The proposal was withdrawn. Nothing was sent.',
    'Prepare it again where it is still wanted.',
  ),
  outcome_unknowable: entry(
    504,
    'warn',
    'The service gave no answer, and no read can tell whether the call was executed.',
    'Look at the service itself before you ask for it again.',
  ),
  batch_unequal: entry(
    409,
    'info',
    'These changes are not equal, or one of them no longer waits.',
    'Review them one by one, or select the group again.',
  ),
  batch_over: entry(
    409,
    'info',
    'None of these changes waits any more. Nothing was sent.',
    'Look at each of them in Proposals: it says what became of it.',
  ),
  batch_done: entry(
    200,
    'info',
    'Every change has its own result.',
    'Each change is listed with its own result.',
  ),
  batch_unsettled: entry(
    200,
    'info',
    'Not every change is settled yet.',
    'Countersign keeps reading until it knows. Nothing is sent again.',
  ),
  nothing_to_reverse: entry(
    409,
    'info',
    'Nothing is left to reverse: every value has been changed since, or is back already.',
    'Look at the campaigns themselves.',
  ),
  nothing_paused: entry(
    409,
    'info',
    'There is no emergency pause to resume.',
    'Change the status of campaigns on the Campaigns page.',
  ),
  demo_only: entry(
    403,
    'info',
    'The sample agent works with Demo only.',
    'Switch to the Demo profile, then start it again.',
  ),
} satisfies Record<string, CatalogueEntry>;
