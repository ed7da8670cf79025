import type { Lesson } from './lesson.ts';

/** Content of a lesson. */
export const unknown: Lesson = {
  title: 'What “unknown” means',
  summary: 'Unknown is not none: what to do when an answer is lost or an effect cannot be told.',
  steps: [
    {
      title: 'Unknown is not none',
      paragraphs: [
        '“None” is a fact: there is no limit, no end, no country. “Unknown” says that Countersign could not find out.',
        'Treat unknown money as unlimited, and an unknown effect as the worst one that you can think of.',
      ],
    },
    {
      title: 'When no answer comes',
      paragraphs: [
        'A change is sent, and the connection breaks. The service may have stored it or not: the outcome is unknown.',
        'Countersign never sends such a change again. It reads the campaign until the outcome is clear, and holds back other changes of it.',
      ],
    },
    {
      title: 'Agents try again',
      paragraphs: [
        'An agent that gets no answer often proposes the same again. A new raise on top of a stored one raises twice.',
        'Look at the old value in the confirmation: is it still the one from before the first attempt? The last change stands beside it.',
      ],
      figure: {
        caseName: 'a daily budget 20 % higher',
        caption: 'Is $50.00 the budget that you know, or has it been raised already?',
      },
    },
    {
      title: 'Calls that carry more',
      paragraphs: [
        'Some calls have arguments that the tool’s definition does not name. The service may act on them; nobody can tell how.',
        'The confirmation warns of them and lists them all. The change that you can read may be the smaller part.',
      ],
      figure: {
        caseName: 'bulk behind one cid',
        caption: 'A new name for one campaign, and forty other campaigns in an argument beside it.',
      },
    },
    {
      title: 'What to do',
      paragraphs: [
        'If the outcome is unknown, wait for the read. Do not approve the same change again before you know.',
        'If the effect is unknown, deny it and ask for a call that states its change and nothing else.',
      ],
    },
  ],
  questions: [
    {
      question:
        'A raise from $50.00 to $60.00 got no answer. The agent proposes $60.00 → $72.00 “again”. What is true?',
      answers: [
        {
          text: 'The first raise is missing, so this one is needed.',
          isRight: false,
          feedback: 'The old value is $60.00: the first raise was stored.',
        },
        {
          text: 'The first raise was stored, and this one is a second raise.',
          isRight: true,
          feedback: 'Only the answer was lost. Deny the second one.',
        },
      ],
    },
    {
      question: 'A confirmation says that the money at risk after a call is unknown. How do you count it?',
      answers: [
        { text: 'As nothing.', isRight: false, feedback: 'Unknown is not none.' },
        { text: 'As before the call.', isRight: false, feedback: 'Nobody knows that it stays the same.' },
        {
          text: 'As unlimited.',
          isRight: true,
          feedback: 'Guardrails count it the same way.',
        },
      ],
    },
  ],
};
