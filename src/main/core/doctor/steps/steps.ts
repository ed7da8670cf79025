import { readySchema } from '#shared/contract/index.ts';
import { type Answered, answerLine, clockSkew } from '../answers/ask.ts';
import { meaningOfNoAnswer } from '../answers/no-answer.ts';
import { listed } from '../answers/words.ts';
import { meaningOfStatus } from '../answers/wrong-answer.ts';
import { authorizationServer } from './authorization-server.ts';
import { contract } from './contract.ts';
import { protectedResource } from './protected-resource.ts';
import { tools, whoami } from './remote-tools.ts';
import { memberList, publisherReports } from './rest-reads.ts';
import { registration, signIn } from './sign-in.ts';
import { failed, ok, type Step } from './step.ts';

const healthUrl = (mcpUrl: string): string => `${mcpUrl}/health`;

/** The process responds (contract §4.3), and its clock agrees with ours. */
const health: Step = {
  id: 'health',
  title: 'Alive',
  asks: ({ addresses }) => `GET ${healthUrl(addresses.mcpUrl)}`,
  at: ({ addresses }) => addresses.mcpUrl,
  async examine({ target: { addresses }, ask, clock }) {
    const asked = await ask(healthUrl(addresses.mcpUrl));
    const line = answerLine(asked);
    if (asked.kind === 'none') return failed(line, meaningOfNoAnswer(asked.because, addresses.mcpUrl));
    const wrong = meaningOfStatus(asked, 'the question whether it is alive');
    if (wrong !== null) return failed(line, wrong);
    const skew = clockSkew(asked, clock);
    return skew === null ? ok(line) : { ...skew, answer: line };
  },
};

const readyUrl = (mcpUrl: string): string => `${mcpUrl}/ready`;

/** The dependencies of the service are available (contract §4.3): this may fail while the service is alive. */
const ready: Step = {
  id: 'ready',
  title: 'Ready',
  asks: ({ addresses }) => `GET ${readyUrl(addresses.mcpUrl)}`,
  at: ({ addresses }) => addresses.mcpUrl,
  async examine({ target: { addresses }, ask }) {
    const asked = await ask(readyUrl(addresses.mcpUrl));
    const line = answerLine(asked);
    if (asked.kind === 'none') return failed(line, meaningOfNoAnswer(asked.because, addresses.mcpUrl));
    const wrong = meaningOfStatus(asked, 'the question whether it is ready');
    if (wrong === null) return ok(line);
    const parts = failingParts(asked);
    if (asked.status !== 503 || parts.length === 0) return failed(line, wrong);
    return failed(line, {
      means: `The service is alive but not ready: it says that this is away: ${listed(parts)}.`,
      remedy: wrong.remedy,
    });
  },
};

/** The contract does not show the body; where it is as we know it, it names what fails. */
function failingParts({ json }: Answered): string[] {
  const { success, data } = readySchema.safeParse(json);
  if (!success) return [];
  return Object.entries(data.checks).flatMap(([part, check]) => (check === 'failed' ? [part] : []));
}

/** The steps of an examination, in this order. */
export const steps: readonly Step[] = [
  health,
  ready,
  protectedResource,
  authorizationServer,
  registration,
  signIn,
  whoami,
  tools,
  memberList,
  publisherReports,
  contract,
];
