import { shortcutText } from '#shared/lib/shortcuts.ts';
import { figure, right, step, wrong, type Lesson } from './lesson.ts';

export const emergencyStop: Lesson = {
  title: 'Emergency stop',
  summary: 'Stop all agents with one press, pause what runs, and resume when all is clear.',
  steps: [
    step('One press', [
      'The emergency stop freezes all agents at once. It withdraws what waits, and what was approved but not sent.',
      'Then it prepares one pause of your running campaigns. It needs neither the agents nor their tools.',
    ]),
    step('Where it is', [
      'It is in the title bar of every page, in the command palette, and on the desktop in the menu and the tray.',
      `It also has a shortcut: ${shortcutText('emergencyStop', false)}, on a Mac ${shortcutText('emergencyStop', true)}. Learn it before you need it. While you type it asks once; a second press stops.`,
    ]),
    step(
      'Nothing is paused yet',
      [
        'The agents stop at once. The pause is a change like any other: it waits for your approval.',
        'Until you decide, every page says “Nothing is paused yet”. Approve the pause, or deny it if the agents were all that had to stop.',
      ],
      figure('a pause', 'A pause takes money away from the risk, so nothing has to be typed.'),
    ),
    step('Freeze agents only', [
      'If your campaigns are fine and only an agent is not, choose “Freeze agents only” on the Agents page.',
      'Agents cannot propose anything while they are frozen. Your own changes still work.',
    ]),
    step('Back to work', [
      '“Resume them…” brings the earlier statuses back as one reviewed change, for campaigns that are still paused.',
      'Let agents work again when you know what went wrong. Revoke the access of an agent that you do not trust any more.',
    ]),
    step('During training', [
      'The emergency stop of the training window always acts on your real agents. Your real work is never locked behind a lesson.',
    ]),
  ],
  questions: [
    {
      question: 'You pressed the emergency stop. Are your campaigns paused?',
      answers: [
        wrong('Yes, at once.', 'Agents are frozen at once. The pause waits for you.'),
        right('Not before I approve the pause.', 'Every write is yours to approve, this one too.'),
      ],
    },
    {
      question: 'One agent makes strange proposals, and your campaigns are fine. What is enough?',
      answers: [
        right('Freeze agents only.', 'Nothing is paused. Then revoke the access of that agent.'),
        wrong('Pause all campaigns.', 'That costs traffic and does not stop the agent.'),
        wrong(
          'Deny its proposals until it gives up.',
          'It may go on all night, and you may press the wrong key once.',
        ),
      ],
    },
  ],
};

export const guardrails: Lesson = {
  title: 'Guardrails',
  summary: 'Limits that refuse before you are asked, and what no limit can see.',
  steps: [
    step('Limits refuse, they never approve', [
      'A guardrail refuses a proposal before you see it. The agent is told which limit it hit.',
      'What passes the limits still waits for you. No setting lets a change through by itself.',
    ]),
    step(
      'Limits for one change',
      [
        'You can limit how far a bid may rise, how much money a change may add, and how many campaigns it may touch.',
        'A new profile starts with three: a bid at most doubled, at most $500.00 more a day, at most 20 campaigns.',
      ],
      figure('a hundred times the bid', 'With a limit of ×2 you would never see this one.'),
    ),
    step(
      'Limits over time',
      [
        'A large raise can be cut into many small ones. Each is harmless, and no limit for one change refuses it.',
        'Limit how many changes an agent may propose in some minutes, and how much it may add to the money at risk in some hours.',
      ],
      figure('a bid 10% higher', 'Ten such raises in a row make the bid 2.6 times as high.'),
    ),
    step('Protected campaigns and quiet hours', [
      'Protect campaigns that no agent may change. In quiet hours agents may propose nothing at all.',
      'Refused attempts are listed on the Agents page, so that you see what was blocked.',
    ]),
    step(
      'What limits cannot see',
      [
        'Limits count money and campaigns. They do not know whether a host is yours or a country was meant.',
        'That stays with you: read the largest figure, and compare it with the words.',
      ],
      figure('look-alike host', 'No amount changes here, and every click goes to someone else.'),
    ),
  ],
  questions: [
    {
      question: 'A proposal passed all guardrails. Is it safe?',
      answers: [
        wrong(
          'Yes, otherwise it would have been refused.',
          'Limits only see what they count. A wrong host passes all of them.',
        ),
        right(
          'Not necessarily. It needs a look like any other.',
          'Guardrails reduce what you see. They decide nothing for you.',
        ),
      ],
    },
    {
      question: 'An agent raises one bid by 5% every few minutes. Which limit helps?',
      answers: [
        wrong('A bid at most doubled in one change.', 'Each raise stays far below that.'),
        right(
          'A limit of changes that one agent may propose within an hour.',
          'It counts all of them together.',
        ),
        wrong('Quiet hours.', 'The raises go on as soon as those are over.'),
      ],
    },
  ],
};

export const takingBack: Lesson = {
  title: 'Take back what agents did',
  summary: 'Undo one change, or reverse everything that agents left behind.',
  steps: [
    step(
      'Undo one change',
      [
        'A change that was stored and verified can be undone from its proposal or from its row in the ledger.',
        'An undo is a change of your own: Countersign reads the campaign, shows what goes back, and waits for your approval.',
      ],
      figure('a lower bid', 'The undo of a raise is a change like this one, reviewed like any other.'),
    ),
    step('Only what is still there', [
      'An undo brings back the values from before the change, as far as they are still the ones that it left.',
      'If a colleague has set another value since then, that value stays. The confirmation says what is left out.',
    ]),
    step(
      'The net effect of agents',
      [
        'Twenty small changes of one field have one effect: the first value became the last one.',
        'In the ledger, “Net effect of agents” shows that for every campaign, since today or any day you choose.',
      ],
      figure('a bid 10% higher', 'Each step says little. From the first value to the last, they say it all.'),
    ),
    step('Reverse it', [
      '“Reverse…” reads every campaign and proposes the earlier values as one batch. Choose an agent to reverse only what that one did.',
      'Freeze the agents first. Otherwise they change the campaigns while you put them right.',
    ]),
    step('What does not come back', [
      'Money that was spent is spent, and clicks that went to another host are gone.',
      'Some statuses cannot be set again either: no member can make a campaign Pending. That is why the look before counts more than the undo after.',
    ]),
  ],
  questions: [
    {
      question:
        'An agent raised a bid. A colleague then lowered it by hand. You undo the raise. What happens?',
      answers: [
        wrong(
          'The bid from before the raise comes back.',
          'That would throw away what your colleague did on purpose.',
        ),
        right(
          'The bid stays as your colleague set it.',
          'An undo only takes back values that are still the ones it left.',
        ),
      ],
    },
    {
      question: 'An agent made forty changes last night, some of them wrong. Where do you begin?',
      answers: [
        right(
          'With “Net effect of agents” in the ledger.',
          'It shows what is left of them, per campaign and field, and can reverse it.',
        ),
        wrong(
          'With forty single undos.',
          'Possible, but some changes cancel each other out. The net effect shows what is left.',
        ),
        wrong('By pausing all campaigns for good.', 'A pause helps while you look. It takes nothing back.'),
      ],
    },
  ],
};
