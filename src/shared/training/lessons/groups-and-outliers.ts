import type { Lesson } from './lesson.ts';

/** Content of a lesson. */
export const groupsAndOutliers: Lesson = {
  title: 'Groups and outliers',
  summary: 'Decide on many equal changes at once, and on the one that is not equal alone.',
  steps: [
    {
      title: 'Equal changes form a group',
      paragraphs: [
        'Proposals that make the same change are grouped: the same new value, the same raise, the same percentage.',
        '“Review 49 together” opens one confirmation for all of them. It lists every campaign and the money of all of them.',
      ],
    },
    {
      title: 'Check the rule, then the sum',
      paragraphs: [
        'The title says the one change that explains every member, such as a bid raised by 10%.',
        'Fifty small raises are one large one. Read the sum per day before you approve.',
      ],
      figure: {
        caseName: 'a bid 10% higher',
        caption: 'One of many: alone it is harmless. The group says what all of them add up to.',
      },
    },
    {
      title: 'The outlier stays outside',
      paragraphs: [
        'A change that does not follow the rule is never in the group. The list says “Different from the group below”.',
        'Open it on its own. In a long row of equal changes, it is the one that matters.',
      ],
      figure: {
        caseName: 'outlier in fifty',
        caption: 'Forty-nine bids rise by 10%. This one becomes ten times as high.',
      },
    },
    {
      title: 'Dangers are always alone',
      paragraphs: [
        'A change with a red warning is never part of a group, even if all members are equal.',
        'That keeps a single press from approving fifty dangers.',
      ],
    },
    {
      title: 'Late arrivals',
      paragraphs: [
        'A batch has the members that it showed when you opened it. An equal change that arrives later is not included.',
        'Deny decides on the whole group as well. Use “Show each change” when some of them are right and some are not.',
      ],
    },
  ],
  questions: [
    {
      question:
        'An agent says that it raises fifty bids by 10%. The group has 49 changes. What do you do first?',
      answers: [
        {
          text: 'Approve the group. The last one will follow.',
          isRight: false,
          feedback: 'The last one is already there, outside of the group. Find out why.',
        },
        {
          text: 'Open the change that is different.',
          isRight: true,
          feedback: 'It does not follow the rule, so it needs a decision of its own.',
        },
        {
          text: 'Deny everything.',
          isRight: false,
          feedback: 'The other 49 are fine, and denying them costs you time.',
        },
      ],
    },
    {
      question: 'You opened a group of 20. Now an equal change arrives. Does Approve include it?',
      answers: [
        {
          text: 'Yes, it is equal.',
          isRight: false,
          feedback: 'You approve what was shown, and nothing else.',
        },
        {
          text: 'No, it waits for a decision of its own.',
          isRight: true,
          feedback: 'An approval covers exactly the changes that the confirmation listed.',
        },
      ],
    },
  ],
};
