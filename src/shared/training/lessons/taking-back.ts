import type { Lesson } from './lesson.ts';

/** Content of a lesson. */
export const takingBack: Lesson = {
  title: 'Take back what agents did',
  summary: 'Undo one change, or reverse everything that agents left behind.',
  steps: [
    {
      title: 'Undo one change',
      paragraphs: [
        'A change that was stored and verified can be undone from its proposal or from its row in the ledger.',
        'An undo is a change of your own: Countersign reads the campaign, shows what goes back, and waits for your approval.',
      ],
      figure: {
        caseName: 'a lower bid',
        caption: 'The undo of a raise is a change like this one, reviewed like any other.',
      },
    },
    {
      title: 'Only what is still there',
      paragraphs: [
        'An undo brings back the values from before the change, as far as they are still the ones that it left.',
        'If a colleague has set another value since then, that value stays. The confirmation says what is left out.',
      ],
    },
    {
      title: 'The net effect of agents',
      paragraphs: [
        'Twenty small changes of one field have one effect: the first value became the last one.',
        'In the ledger, “Net effect of agents” shows that for every campaign, since today or any day you choose.',
      ],
      figure: {
        caseName: 'a bid 10% higher',
        caption: 'Each step says little. From the first value to the last, they say it all.',
      },
    },
    {
      title: 'Reverse it',
      paragraphs: [
        '“Reverse…” reads every campaign and proposes the earlier values as one batch. Choose an agent to reverse only what that one did.',
        'Freeze the agents first. Otherwise they change the campaigns while you put them right.',
      ],
    },
    {
      title: 'What does not come back',
      paragraphs: [
        'Money that was spent is spent, and clicks that went to another host are gone.',
        'Some statuses cannot be set again either: no member can make a campaign Pending. That is why the look before counts more than the undo after.',
      ],
    },
  ],
  questions: [
    {
      question:
        'An agent raised a bid. A colleague then lowered it by hand. You undo the raise. What happens?',
      answers: [
        {
          text: 'The bid from before the raise comes back.',
          isRight: false,
          feedback: 'That would throw away what your colleague did on purpose.',
        },
        {
          text: 'The bid stays as your colleague set it.',
          isRight: true,
          feedback: 'An undo only takes back values that are still the ones it left.',
        },
      ],
    },
    {
      question: 'An agent made forty changes last night, some of them wrong. Where do you begin?',
      answers: [
        {
          text: 'With “Net effect of agents” in the ledger.',
          isRight: true,
          feedback: 'It shows what is left of them, per campaign and field, and can reverse it.',
        },
        {
          text: 'With forty single undos.',
          isRight: false,
          feedback: 'Possible, but some changes cancel each other out. The net effect shows what is left.',
        },
        {
          text: 'By pausing all campaigns for good.',
          isRight: false,
          feedback: 'A pause helps while you look. It takes nothing back.',
        },
      ],
    },
  ],
};
