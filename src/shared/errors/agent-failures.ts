import { failures } from './catalogue-entry.ts';

export const agentFailures = {
  ...failures(503, 'warn', {
    gateway_port_taken: [
      'The port at which agents connect is used by another program, or reserved by the system.',
      'Choose another port on the Agents page, or end that program and try again.',
    ],
  }),
  ...failures(503, 'info', {
    gateway_closed: [
      'Agents cannot connect now.',
      'Try again on the Agents page; if that does not help, restart Countersign.',
    ],
  }),
  ...failures(409, 'info', {
    admission_taken_back: [
      'The agent no longer waits for an answer. It was not admitted.',
      'Connect the agent again if you still want it.',
    ],
    due_approval_ended: [
      'The service’s approval of this due change has ended. Nothing was sent.',
      'The schedule asks again when it is next due. Change the campaign yourself if it cannot wait.',
    ],
    tool_held: [
      'The service has changed this tool. It is held until a person has looked at it.',
      'Ask the person to look at the tool on the Agents page of Countersign, then call it again.',
    ],
    tool_moved: ['The service has changed the tool again meanwhile.', 'Review its current definition.'],
    prepared_differs: [
      'The payload is not the one that was prepared.',
      'Commit the payload unchanged, or prepare again.',
    ],
    approval_unseen: [
      'Not proposed: Countersign did not see this approval being prepared for you.',
      'Prepare the change again through Countersign, and commit the result unchanged.',
    ],
    proposal_withdrawn: [
      'The proposal was withdrawn. Nothing was sent.',
      'Prepare it again if it is still wanted.',
    ],
    batch_unequal: [
      'These changes are not equal, or one of them no longer waits.',
      'Review them one by one, or select the group again.',
    ],
    batch_over: [
      'None of these changes waits any more. Nothing was sent.',
      'Open each of them in Proposals to see its result.',
    ],
    nothing_to_reverse: [
      'Nothing is left to reverse: every value has been changed since, or is already restored.',
      'Look at the campaigns themselves.',
    ],
    nothing_paused: [
      'There is no emergency pause to resume.',
      'Change the status of campaigns on the Campaigns page.',
    ],
  }),
  ...failures(404, 'info', {
    agent_unknown: ['There is no such agent.', 'Look at the Agents page.'],
    task_unknown: ['This schedule is not among those that the service lists.', 'Refresh the Schedules page.'],
  }),
  ...failures(403, 'info', {
    agent_ended: [
      'The agent’s access ended before a decision. Nothing was sent.',
      'Admit the agent again if its change is still wanted.',
    ],
    agents_frozen: [
      'A person has frozen all agents. Nothing was done.',
      'Wait until the person lets agents work again; do not repeat the call unasked.',
    ],
    denied_by_person: [
      'A person denied this change. Nothing was sent.',
      'Do not propose the same change again unasked.',
    ],
    guardrail: [
      'A guardrail of this app does not let agents propose this.',
      'Propose a smaller change, or ask the person who runs Countersign.',
    ],
    tool_not_readable: [
      'This tool cannot be treated as a read.',
      'It stays a write: each call waits for a person.',
    ],
    demo_only: ['The sample agent works with Demo only.', 'Switch to the Demo profile, then start it again.'],
  }),
  ...failures(202, 'info', {
    waiting_for_person: [
      'Not executed: waiting for confirmation by a person.',
      'Call countersign_await with the proposal id to learn what the person decided.',
    ],
  }),
  ...failures(502, 'warn', {
    answer_lost: [
      'The change was executed. The service’s own answer was lost.',
      'Read the current state. Do not repeat the call.',
    ],
  }),
  ...failures(429, 'warn', {
    attempts_spent: [
      'Too many attempts of this agent ended without a decision.',
      'Wait as long as the message says. Propose less, and wait for the person’s decision.',
    ],
  }),
  ...failures(504, 'warn', {
    outcome_unknowable: [
      'The service gave no answer, and no read can tell whether the call was executed.',
      'Look at the service itself before you ask for it again.',
    ],
  }),
  ...failures(200, 'info', {
    batch_done: ['Every change has its own result.', 'Look at the result of each change.'],
    batch_unsettled: [
      'Not every change is settled yet.',
      'Countersign keeps reading until it knows. Nothing is sent again.',
    ],
  }),
};
