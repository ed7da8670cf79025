import type { Lesson } from './lesson.ts';

/** Content of a lesson. */
export const guardrails: Lesson = {
  title: 'Guardrails',
  summary: 'Limits that refuse before you are asked, and what no limit can see.',
  steps: [
    {
      title: 'Limits refuse, they never approve',
      paragraphs: [
        'A guardrail refuses a proposal before you see it. The agent is told which limit it hit.',
        'What passes the limits still waits for you. No setting lets a change through by itself.',
      ],
    },
    {
      title: 'Limits for one change',
      paragraphs: [
        'You can limit how far a bid may rise, how much money a change may add, and how many campaigns it may touch.',
        'A new profile starts with three: a bid at most doubled, at most $500.00 more a day, at most 20 campaigns.',
      ],
      figure: {
        caseName: 'a hundred times the bid',
        caption: 'With a limit of ×2 you would never see this one.',
      },
    },
    {
      title: 'Limits over time',
      paragraphs: [
        'A large raise can be cut into many small ones. Each is harmless, and no limit for one change refuses it.',
        'Limit how many changes an agent may propose in some minutes, and how much it may add to the money at risk in some hours.',
      ],
      figure: {
        caseName: 'a bid 10% higher',
        caption: 'Ten such raises in a row make the bid 2.6 times as high.',
      },
    },
    {
      title: 'Protected campaigns and quiet hours',
      paragraphs: [
        'Protect campaigns that no agent may change. In quiet hours agents may propose nothing at all.',
        'Refused attempts are listed on the Agents page, so that you see what was blocked.',
      ],
    },
    {
      title: 'What limits cannot see',
      paragraphs: [
        'Limits count money and campaigns. They do not know whether a host is yours or a country was meant.',
        'That stays with you: read the largest figure, and compare it with the words.',
      ],
      figure: {
        caseName: 'look-alike host',
        caption: 'No amount changes here, and every click goes to someone else.',
      },
    },
  ],
  questions: [
    {
      question: 'A proposal passed all guardrails. Is it safe?',
      answers: [
        {
          text: 'Yes, otherwise it would have been refused.',
          isRight: false,
          feedback: 'Limits only see what they count. A wrong host passes all of them.',
        },
        {
          text: 'Not necessarily. It needs a look like any other.',
          isRight: true,
          feedback: 'Guardrails reduce what you see. They decide nothing for you.',
        },
      ],
    },
    {
      question: 'An agent raises one bid by 5% every few minutes. Which limit helps?',
      answers: [
        {
          text: 'A bid at most doubled in one change.',
          isRight: false,
          feedback: 'Each raise stays far below that.',
        },
        {
          text: 'A limit of changes that one agent may propose within an hour.',
          isRight: true,
          feedback: 'It counts all of them together.',
        },
        { text: 'Quiet hours.', isRight: false, feedback: 'The raises go on as soon as those are over.' },
      ],
    },
  ],
};
