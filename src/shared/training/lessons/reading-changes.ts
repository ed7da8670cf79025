import { figure, right, step, wrong, type Lesson } from './lesson.ts';

export const moneyAtRisk: Lesson = {
  title: 'Read money at risk',
  summary: 'What a campaign may spend from now on, and which figure to check first.',
  steps: [
    step('What it is', [
      'Money at risk is what a campaign may spend from now on: per day, and until its end. It follows from budgets, flight and schedule.',
      'It is no forecast, and it does not know what is already spent. It is the most that you allow when you approve.',
    ]),
    step(
      'The largest figure comes first',
      [
        'Every confirmation shows the most important figure of its change in the largest letters. Read it before anything else.',
        'A bid that is ten times as high does not change the daily limit. The same money buys a tenth of the clicks.',
      ],
      figure('slipped decimal point', 'The factor ×10 stands beside both bids. A decimal point has slipped.'),
    ),
    step(
      'Unlimited',
      [
        '“Unlimited” means that no budget stops the campaign. It spends as long as there is traffic.',
        'A total budget of 0 is unlimited too, and so is a campaign whose budgets are switched off.',
      ],
      figure('no limit', 'The change only switches the budgets off. The money at risk says what that means.'),
    ),
    step(
      'Paused is not harmless',
      [
        'A paused campaign has nothing at risk, so its money does not change when a limit goes away.',
        'The confirmation then shows the limit itself. The next activation would spend without it.',
      ],
      figure('no daily limit while paused', 'No money moves now, but the daily budget becomes unlimited.'),
    ),
    step(
      'When a campaign starts',
      [
        'An activation puts all of the campaign’s money at risk immediately. Compare it with what you meant to spend.',
        'If only the day of the start or the end changes, both dates stand beside the amounts.',
      ],
      figure('activation', 'Nothing before, $50.00 a day and $2,050.00 until the end after it.'),
    ),
  ],
  questions: [
    {
      question:
        'A campaign has a daily budget of $50.00. An agent raises its bid to ten times as much. What happens?',
      answers: [
        wrong('It may spend $500.00 a day.', 'The daily budget still stops it at $50.00.'),
        right(
          'It still spends up to $50.00 a day, for a tenth of the clicks.',
          'The limit stays. Nearly all of the money is wasted.',
        ),
        wrong('Nothing.', 'Each click costs ten times as much from now on.'),
      ],
    },
    {
      question:
        'An agent switches off the budgets of a paused campaign. Nothing is at risk now. What do you do?',
      answers: [
        wrong('Approve it. It spends nothing.', 'It spends without a limit as soon as anyone activates it.'),
        right(
          'Deny it, unless someone can say why the limits should go.',
          'A limit is easiest to keep while nothing is running.',
        ),
      ],
    },
  ],
};

export const groupsAndOutliers: Lesson = {
  title: 'Groups and outliers',
  summary: 'Decide on many equal changes at once, and on the one that is not equal alone.',
  steps: [
    step('Equal changes form a group', [
      'Proposals that make the same change are grouped: the same new value, the same raise, the same percentage.',
      '“Review 49 together” opens one confirmation for all of them. It lists every campaign and the money of all of them.',
    ]),
    step(
      'Check the rule, then the sum',
      [
        'The title says the one change that explains every member, such as a bid raised by 10%.',
        'Fifty small raises are one large one. Read the sum per day before you approve.',
      ],
      figure(
        'a bid 10% higher',
        'One of many: alone it is harmless. The group says what all of them add up to.',
      ),
    ),
    step(
      'The outlier stays outside',
      [
        'A change that does not follow the rule is never in the group. The list says “Different from the group below”.',
        'Open it on its own. In a long row of equal changes, it is the one that matters.',
      ],
      figure('outlier in fifty', 'Forty-nine bids rise by 10%. This one becomes ten times as high.'),
    ),
    step('Dangers are always alone', [
      'A change with a red warning is never part of a group, even if all members are equal.',
      'That keeps a single press from approving fifty dangers.',
    ]),
    step('Late arrivals', [
      'A batch has the members that it showed when you opened it. An equal change that arrives later is not included.',
      'Deny decides on the whole group as well. Use “Show each change” when some of them are right and some are not.',
    ]),
  ],
  questions: [
    {
      question:
        'An agent says that it raises fifty bids by 10%. The group has 49 changes. What do you do first?',
      answers: [
        wrong(
          'Approve the group. The last one will follow.',
          'The last one is already there, outside of the group. Find out why.',
        ),
        right(
          'Open the change that is different.',
          'It does not follow the rule, so it needs a decision of its own.',
        ),
        wrong('Deny everything.', 'The other 49 are fine, and denying them costs you time.'),
      ],
    },
    {
      question: 'You opened a group of 20. Now an equal change arrives. Does Approve include it?',
      answers: [
        wrong('Yes, it is equal.', 'You approve what was shown, and nothing else.'),
        right(
          'No, it waits for a decision of its own.',
          'An approval covers exactly the changes that the confirmation listed.',
        ),
      ],
    },
  ],
};

export const unknown: Lesson = {
  title: 'What “unknown” means',
  summary: 'Unknown is not none: what to do when an answer is lost or an effect cannot be told.',
  steps: [
    step('Unknown is not none', [
      '“None” is a fact: there is no limit, no end, no country. “Unknown” says that Countersign could not find out.',
      'Treat unknown money as unlimited, and an unknown effect as the worst one that you can think of.',
    ]),
    step('When no answer comes', [
      'A change is sent, and the connection breaks. The service may have stored it or not: the outcome is unknown.',
      'Countersign never sends such a change again. It reads the campaign until the outcome is clear, and holds back other changes of it.',
    ]),
    step(
      'Agents try again',
      [
        'An agent that gets no answer often proposes the same again. A new raise on top of a stored one raises twice.',
        'Look at the old value in the confirmation: is it still the one from before the first attempt? The last change stands beside it.',
      ],
      figure(
        'a daily budget 20 % higher',
        'Is $50.00 the budget that you know, or has it been raised already?',
      ),
    ),
    step(
      'Calls that carry more',
      [
        'Some calls have arguments that the tool’s definition does not name. The service may act on them; nobody can tell how.',
        'The confirmation warns of them and lists them all. The change that you can read may be the smaller part.',
      ],
      figure(
        'bulk behind one cid',
        'A new name for one campaign, and forty other campaigns in an argument beside it.',
      ),
    ),
    step('What to do', [
      'If the outcome is unknown, wait for the read. Do not approve the same change again before you know.',
      'If the effect is unknown, deny it and ask for a call that states its change and nothing else.',
    ]),
  ],
  questions: [
    {
      question:
        'A raise from $50.00 to $60.00 got no answer. The agent proposes $60.00 → $72.00 “again”. What is true?',
      answers: [
        wrong(
          'The first raise is missing, so this one is needed.',
          'The old value is $60.00: the first raise was stored.',
        ),
        right(
          'The first raise was stored, and this one is a second raise.',
          'Only the answer was lost. Deny the second one.',
        ),
      ],
    },
    {
      question: 'A confirmation says that the money at risk after a call is unknown. How do you count it?',
      answers: [
        wrong('As nothing.', 'Unknown is not none.'),
        wrong('As before the call.', 'Nobody knows that it stays the same.'),
        right('As unlimited.', 'Guardrails count it the same way.'),
      ],
    },
  ],
};
