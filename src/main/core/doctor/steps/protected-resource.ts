import { isJsonObject } from '#shared/lib/json/json-value.ts';
import { AppError } from '#shared/errors/index.ts';
import { type Answered, answerLine } from '../answers/ask.ts';
import { type Meaning, meaningOfNoAnswer } from '../answers/no-answer.ts';
import { quote } from '../answers/words.ts';
import { meaningOfStatus } from '../answers/wrong-answer.ts';
import { failed, ok, type Examination, type Step } from './step.ts';

const url = (mcpUrl: string): string => `${mcpUrl}/.well-known/oauth-protected-resource/mcp`;
const reportToOperator = 'Report it to the operator of the service: its document has to be corrected.';

/** The document of the protected resource (contract §4.3, RFC 9728): what it is called, and who gives tokens for it. */
export const protectedResource: Step = {
  id: 'protected-resource',
  title: 'Protected resource',
  asks: ({ addresses }) => `GET ${url(addresses.mcpUrl)}`,
  at: ({ addresses }) => addresses.mcpUrl,
  async examine(examination) {
    const { target, ask, facts } = examination;
    const { mcpUrl } = target.addresses;
    const asked = await ask(url(mcpUrl));
    const line = answerLine(asked);
    if (asked.kind === 'none') return failed(line, meaningOfNoAnswer(asked.because, mcpUrl));
    const wrong = meaningOfStatus(asked, 'its resource document') ?? wrongDocument(asked, examination);
    facts.resourceIsRight = wrong === null;
    return wrong === null ? ok(line) : failed(line, wrong);
  },
};

function wrongDocument({ json }: Answered, { target, policy, facts }: Examination): Meaning | null {
  if (!isJsonObject(json)) {
    return { means: 'The resource document is no readable JSON object.', remedy: reportToOperator };
  }
  const listed = json['authorization_servers'];
  const issuers = Array.isArray(listed) ? listed.filter((item) => typeof item === 'string') : [];
  const refusals = issuers.map((issuer) => refusalOf(issuer, policy));
  const passed = issuers[refusals.indexOf(null)];
  if (passed !== undefined) facts.issuer = { kind: 'known', url: passed };
  else if (issuers.length > 0) facts.issuer = { kind: 'refused' };
  const wanted = `${target.addresses.mcpUrl}/mcp`;
  const { resource } = json;
  if (resource !== wanted) {
    const said = typeof resource === 'string' ? `calls itself ${quote(resource)}` : 'does not name itself';
    return {
      means: `The resource ${said} in place of ${wanted}: a token for it would not be one for this address.`,
      remedy: 'Use the exact tools address that the operator gave you; if it is right, tell them.',
    };
  }
  if (issuers.length === 0) {
    return { means: 'The resource document names no authorization server.', remedy: reportToOperator };
  }
  return passed === undefined ? (refusals[0] ?? null) : null;
}

function refusalOf(issuer: string, policy: Examination['policy']): Meaning | null {
  try {
    policy.check(issuer, 'authorization_servers');
    return null;
  } catch (failure) {
    if (!(failure instanceof AppError)) throw failure;
    return { means: failure.message, remedy: failure.next };
  }
}
