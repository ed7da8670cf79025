import { shortcutText } from '#shared/lib/shortcuts.ts';
import type { Lesson } from './lesson.ts';

/** Content of a lesson. */
export const emergencyStop: Lesson = {
  title: 'Emergency stop',
  summary: 'Stop all agents with one press, pause what runs, and resume when all is clear.',
  steps: [
    {
      title: 'One press',
      paragraphs: [
        'The emergency stop freezes all agents at once. It withdraws what waits, and what was approved but not sent.',
        'Then it prepares one pause of your running campaigns. It needs neither the agents nor their tools.',
      ],
    },
    {
      title: 'Where it is',
      paragraphs: [
        'It is in the title bar of every page, in the command palette, and on the desktop in the menu and the tray.',
        `It also has a shortcut: ${shortcutText('emergencyStop', false)}, on a Mac ${shortcutText('emergencyStop', true)}. Learn it before you need it. While you type it asks once; a second press stops.`,
      ],
    },
    {
      title: 'Nothing is paused yet',
      paragraphs: [
        'The agents stop at once. The pause is a change like any other: it waits for your approval.',
        'Until you decide, every page says “Nothing is paused yet”. Approve the pause, or deny it if the agents were all that had to stop.',
      ],
      figure: {
        caseName: 'a pause',
        caption: 'A pause takes money away from the risk, so nothing has to be typed.',
      },
    },
    {
      title: 'Freeze agents only',
      paragraphs: [
        'If your campaigns are fine and only an agent is not, choose “Freeze agents only” on the Agents page.',
        'Agents cannot propose anything while they are frozen. Your own changes still work.',
      ],
    },
    {
      title: 'Back to work',
      paragraphs: [
        '“Resume them…” brings the earlier statuses back as one reviewed change, for campaigns that are still paused.',
        'Let agents work again when you know what went wrong. Revoke the access of an agent that you do not trust any more.',
      ],
    },
    {
      title: 'During training',
      paragraphs: [
        'The emergency stop of the training window always acts on your real agents. Your real work is never locked behind a lesson.',
      ],
    },
  ],
  questions: [
    {
      question: 'You pressed the emergency stop. Are your campaigns paused?',
      answers: [
        {
          text: 'Yes, at once.',
          isRight: false,
          feedback: 'Agents are frozen at once. The pause waits for you.',
        },
        {
          text: 'Not before I approve the pause.',
          isRight: true,
          feedback: 'Every write is yours to approve, this one too.',
        },
      ],
    },
    {
      question: 'One agent makes strange proposals, and your campaigns are fine. What is enough?',
      answers: [
        {
          text: 'Freeze agents only.',
          isRight: true,
          feedback: 'Nothing is paused. Then revoke the access of that agent.',
        },
        {
          text: 'Pause all campaigns.',
          isRight: false,
          feedback: 'That costs traffic and does not stop the agent.',
        },
        {
          text: 'Deny its proposals until it gives up.',
          isRight: false,
          feedback: 'It may go on all night, and you may press the wrong key once.',
        },
      ],
    },
  ],
};
