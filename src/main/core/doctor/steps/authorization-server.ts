import { discover, type DocumentRead } from '#core/service-client/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { isJsonObject } from '#shared/lib/json/json-value.ts';
import { type OwnWords, ownWords, quotedUpTo, type Sentence, sentence } from '#shared/lib/sentence.ts';
import { answerLine, milliseconds, quote, type Answered } from '../answers/ask.ts';
import { type Meaning, meaningOfNoAnswer } from '../answers/no-answer.ts';
import { failed, ok, skipped, type Examination, type Finding, type ExaminationStep } from './step.ts';
import { meaningOfStatus } from '../answers/refusals.ts';

const url = (mcpUrl: string): string => `${mcpUrl}/.well-known/oauth-protected-resource/mcp`;
const reportResource = sentence`Report it to the operator of the service: its document has to be corrected.`;

/** Contract §4.3, RFC 9728. */
export const protectedResource: ExaminationStep = {
  id: 'protected-resource',
  title: 'Protected resource',
  asks: ({ addresses }) => sentence`GET ${ownWords(url(addresses.mcpUrl))}`,
  at: ({ addresses }) => addresses.mcpUrl,
  async examine(examination) {
    const { target, ask, facts } = examination;
    const { mcpUrl } = target.addresses;
    const asked = await ask(url(mcpUrl));
    const line = answerLine(asked);
    if (asked.kind === 'none') return failed(line, meaningOfNoAnswer(asked.because, mcpUrl));
    const wrong =
      meaningOfStatus(asked, ownWords('its resource document')) ?? wrongResource(asked, examination);
    facts.resourceIsRight = wrong === null;
    return wrong === null ? ok(line) : failed(line, wrong);
  },
};

function wrongResource({ json }: Answered, { target, policy, facts }: Examination): Meaning | null {
  if (!isJsonObject(json)) {
    return { means: sentence`The resource document is no readable JSON object.`, remedy: reportResource };
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
    const said = nameInWords(resource);
    return {
      means: sentence`The resource ${said} in place of ${ownWords(wanted)}: a token for it would not be one for this address.`,
      remedy: sentence`Use the exact tools address that the operator gave you; if it is right, tell them.`,
    };
  }
  if (issuers.length === 0) {
    return { means: sentence`The resource document names no authorization server.`, remedy: reportResource };
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

function nameInWords(name: unknown): OwnWords {
  return ownWords(typeof name === 'string' ? `calls itself ${quote(name).ownWords}` : 'does not name itself');
}

const reportToOperator = sentence`Report it to the operator of the service: its sign-in cannot be used as it is.`;

/**
 * Contract §5.3, RFC 8414. A sign-in's own discovery makes the final decision.
 * Run alone, it would contact hosts that the person did not configure.
 */
export const authorizationServer: ExaminationStep = {
  id: 'authorization-server',
  title: 'Authorization server',
  asks: ({ addresses }) => sentence`GET ${ownWords(documentUrl(addresses.mcpUrl))}`,
  at: ({ addresses }) => addresses.mcpUrl,
  blocked: ({ facts, policy }) => {
    if (facts.issuer?.kind === 'refused') {
      return skipped(
        sentence`The resource document names an authorization server that Countersign does not open.`,
      );
    }
    const isForeign = facts.issuer !== null && !policy.isConfigured(new URL(facts.issuer.url));
    return isForeign && !facts.resourceIsRight
      ? skipped(sentence`It is at another host, which is asked only once the resource document is right.`)
      : null;
  },
  async examine(examination) {
    const { facts, target, policy } = examination;
    const issuer = facts.issuer?.kind === 'known' ? facts.issuer.url : target.addresses.mcpUrl;
    const asked = sentence`GET ${quotedUpTo(documentUrl(issuer), maxAddress)}`;
    const own = policy.isConfigured(new URL(issuer)) ? await askOurselves(issuer, examination) : null;
    if (own?.state === 'failed' || (own !== null && !facts.resourceIsRight)) return { ...own, asked };
    return { ...(await lastWord(own?.answer ?? null, examination)), asked };
  },
};

const maxAddress = 300;

/** The well-known part precedes the issuer's path (RFC 8414 §3.1). */
function documentUrl(issuer: string): string {
  const { origin, pathname } = new URL(issuer);
  return `${origin}/.well-known/oauth-authorization-server${pathname === '/' ? '' : pathname}`;
}

async function askOurselves(issuer: string, { ask, facts }: Examination): Promise<Finding> {
  const url = documentUrl(issuer);
  const asked = await ask(url);
  const line = answerLine(asked);
  if (asked.kind === 'none') return failed(line, meaningOfNoAnswer(asked.because, new URL(url).origin));
  const { json } = asked;
  const wrong = meaningOfStatus(asked, ownWords('its sign-in document')) ?? wrongDocument(json, issuer);
  if (wrong !== null) return failed(line, wrong);
  if (isJsonObject(json)) facts.server = { issuer, registrationEndpoint: json['registration_endpoint'] };
  return ok(line);
}

function wrongDocument(json: unknown, issuer: string): Meaning | null {
  if (!isJsonObject(json)) {
    return { means: sentence`The sign-in document is no readable JSON object.`, remedy: reportToOperator };
  }
  const found = json['issuer'];
  if (found !== issuer) {
    return {
      means: sentence`The authorization server ${nameInWords(found)} in place of ${quote(issuer)}: its answers could belong to another.`,
      remedy: reportToOperator,
    };
  }
  for (const [field, value, means] of wanted) {
    const values = json[field];
    if (!Array.isArray(values) || !values.includes(value)) return { means, remedy: reportToOperator };
  }
  return null;
}

const wanted: readonly [field: string, value: string, means: Sentence][] = [
  [
    'code_challenge_methods_supported',
    'S256',
    sentence`The authorization server does not offer PKCE by S256, and Countersign signs in by nothing weaker.`,
  ],
  [
    'response_types_supported',
    'code',
    sentence`The authorization server does not offer the authorization code, which is the one way that the contract has.`,
  ],
];

async function lastWord(line: Sentence | null, examination: Examination): Promise<Finding> {
  const { target, policy, facts, timeoutMs, signal } = examination;
  let read: DocumentRead | null = null;
  const seen = (): Sentence => {
    if (line !== null) return line;
    return read === null ? sentence`nothing` : sentence`${read.status} in ${milliseconds(read.tookMs)}`;
  };
  try {
    const { server } = await discover({
      mcpUrl: target.addresses.mcpUrl,
      policy,
      timeoutMs,
      signal,
      onDocument(which, document) {
        if (which === 'authorization-server') read = document;
      },
    });
    facts.server = { issuer: server.issuer, registrationEndpoint: server.registration_endpoint };
    return ok(seen());
  } catch (failure) {
    signal.throwIfAborted();
    if (!(failure instanceof AppError)) throw failure;
    facts.server = null;
    return failed(seen(), { means: failure.message, remedy: failure.next });
  }
}
