import { answerLine } from '../ask.ts';
import { clockSkew } from '../clock-skew.ts';
import { meaningOfNoAnswer } from '../no-answer.ts';
import { meaningOfStatus } from '../wrong-answer.ts';
import { failed, ok, type Step } from './step.ts';

const url = (mcpUrl: string): string => `${mcpUrl}/health`;

/** The process responds (contract §4.3), and its clock agrees with ours. */
export const health: Step = {
  id: 'health',
  title: 'Alive',
  asks: ({ addresses }) => `GET ${url(addresses.mcpUrl)}`,
  at: ({ addresses }) => addresses.mcpUrl,
  async examine({ patient: { addresses }, ask, clock }) {
    const asked = await ask(url(addresses.mcpUrl));
    const line = answerLine(asked);
    if (asked.kind === 'none') return failed(line, meaningOfNoAnswer(asked.because, addresses.mcpUrl));
    const wrong = meaningOfStatus(asked, 'the question whether it is alive');
    if (wrong !== null) return failed(line, wrong);
    const skew = clockSkew(asked, clock);
    return skew === null ? ok(line) : { ...skew, answer: line };
  },
};
