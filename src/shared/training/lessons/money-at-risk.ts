import type { Lesson } from './lesson.ts';

/** Content of a lesson. */
export const moneyAtRisk: Lesson = {
  title: 'Read money at risk',
  summary: 'What a campaign may spend from now on, and which figure to check first.',
  steps: [
    {
      title: 'What it is',
      paragraphs: [
        'Money at risk is what a campaign may spend from now on: per day, and until its end. It follows from budgets, flight and schedule.',
        'It is no forecast, and it does not know what is already spent. It is the most that you allow when you approve.',
      ],
    },
    {
      title: 'The largest figure comes first',
      paragraphs: [
        'Every confirmation shows the most important figure of its change in the largest letters. Read it before anything else.',
        'A bid that is ten times as high does not change the daily limit. The same money buys a tenth of the clicks.',
      ],
      figure: {
        caseName: 'slipped decimal point',
        caption: 'The factor ×10 stands beside both bids. A decimal point has slipped.',
      },
    },
    {
      title: 'Unlimited',
      paragraphs: [
        '“Unlimited” means that no budget stops the campaign. It spends as long as there is traffic.',
        'A total budget of 0 is unlimited too, and so is a campaign whose budgets are switched off.',
      ],
      figure: {
        caseName: 'no limit',
        caption: 'The change only switches the budgets off. The money at risk says what that means.',
      },
    },
    {
      title: 'Paused is not harmless',
      paragraphs: [
        'A paused campaign has nothing at risk, so its money does not change when a limit goes away.',
        'The confirmation then shows the limit itself. The next activation would spend without it.',
      ],
      figure: {
        caseName: 'no daily limit while paused',
        caption: 'No money moves now, but the daily budget becomes unlimited.',
      },
    },
    {
      title: 'When a campaign starts',
      paragraphs: [
        'An activation puts all of the campaign’s money at risk immediately. Compare it with what you meant to spend.',
        'If only the day of the start or the end changes, both dates stand beside the amounts.',
      ],
      figure: {
        caseName: 'activation',
        caption: 'Nothing before, $50.00 a day and $2,050.00 until the end after it.',
      },
    },
  ],
  questions: [
    {
      question:
        'A campaign has a daily budget of $50.00. An agent raises its bid to ten times as much. What happens?',
      answers: [
        {
          text: 'It may spend $500.00 a day.',
          isRight: false,
          feedback: 'The daily budget still stops it at $50.00.',
        },
        {
          text: 'It still spends up to $50.00 a day, for a tenth of the clicks.',
          isRight: true,
          feedback: 'The limit stays. Nearly all of the money is wasted.',
        },
        { text: 'Nothing.', isRight: false, feedback: 'Each click costs ten times as much from now on.' },
      ],
    },
    {
      question:
        'An agent switches off the budgets of a paused campaign. Nothing is at risk now. What do you do?',
      answers: [
        {
          text: 'Approve it. It spends nothing.',
          isRight: false,
          feedback: 'It spends without a limit as soon as anyone activates it.',
        },
        {
          text: 'Deny it, unless someone can say why the limits should go.',
          isRight: true,
          feedback: 'A limit is easiest to keep while nothing is running.',
        },
      ],
    },
  ],
};
