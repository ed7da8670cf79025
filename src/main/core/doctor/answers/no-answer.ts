import { type AnswerHeaders, failureCodes, untrustedCodes } from '#core/service-client/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { type Sentence, sentence } from '#shared/lib/sentence.ts';

export interface Meaning {
  means: Sentence;
  remedy: Sentence;
}

export const sendReport = sentence`Send this report to the operator of the service.`;

/** Status 421 (contract §7.3). */
export const wrongHost: Meaning = {
  means: sentence`The service does not answer under this host name: it is no valid, enabled domain of a customer.`,
  remedy: sentence`Use the exact host name that the operator gave you.`,
};

/** Status 503 (contract §4.3, §7.3). */
export const notReady: Meaning = {
  means: sentence`The service is alive but not ready: something that it depends on is away.`,
  remedy: sentence`Wait until it is ready again; if it persists, report it to the operator of the service.`,
};

export type NoAnswer =
  | 'timeout'
  | 'refused'
  | 'name'
  | 'tls'
  | 'certificate'
  | 'proxy'
  | 'proxy-away'
  | 'proxy-sign-in'
  | 'redirect'
  | 'unreachable'
  | 'port'
  | 'cut';

const tlsCodes = /^(ERR_SSL|ERR_TLS|CERT_|UNABLE_TO_|EPROTO|HOSTNAME_MISMATCH)/;

const codes: Readonly<Record<string, NoAnswer>> = {
  ECONNREFUSED: 'refused',
  ENOTFOUND: 'name',
  EAI_AGAIN: 'name',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  ETIMEDOUT: 'timeout',
  [failureCodes.connectTimeout]: 'timeout',
  [failureCodes.redirect]: 'redirect',
  [failureCodes.port]: 'port',
  [failureCodes.proxyRefused]: 'proxy',
  [failureCodes.proxyUnsupported]: 'proxy',
  [failureCodes.proxyUnreachable]: 'proxy-away',
  [failureCodes.proxySignIn]: 'proxy-sign-in',
  ...Object.fromEntries(untrustedCodes.map((code) => [code, 'certificate'] as const)),
};

const deepest = 6;

/** Explains why there was no answer. Never quotes a cause, which may contain an address. */
export function whyNoAnswer(failure: unknown): NoAnswer {
  let cause: unknown = failure;
  for (let depth = 0; depth < deepest && cause instanceof Error; depth += 1) {
    if (cause.name === 'TimeoutError') return 'timeout';
    const { code } = cause as { code?: unknown };
    if (typeof code === 'string' && !(cause instanceof AppError)) {
      const known = codes[code] ?? (tlsCodes.test(code) ? 'tls' : undefined);
      if (known !== undefined) return known;
    }
    ({ cause } = cause);
  }
  return 'cut';
}

const askOwner = sentence`Check the host and the port; if they are right, ask the operator of the service.`;

interface NoAnswerWords {
  line: Sentence;
  means(origin: string): Sentence;
  remedy: Sentence;
}

const noAnswers: Readonly<Record<NoAnswer, NoAnswerWords>> = {
  timeout: {
    line: sentence`nothing in time`,
    means: (origin) =>
      sentence`Nothing came from ${origin} in time: the service is overloaded, or a firewall swallows the request.`,
    remedy: sentence`Try again; if it stays, ask the operator of the service or the network.`,
  },
  refused: {
    line: sentence`the connection was refused`,
    means: (origin) => sentence`Nothing listens at ${origin}.`,
    remedy: askOwner,
  },
  name: {
    line: sentence`the name was not found`,
    means: (origin) => sentence`The name in ${origin} is not known to the network.`,
    remedy: sentence`Check the spelling of the address, and that this computer is online.`,
  },
  tls: {
    line: sentence`no secure connection`,
    means: (origin) =>
      sentence`No secure connection to ${origin} came about: its certificate has expired or is for another name, or it does not speak TLS.`,
    remedy: sentence`Check the address; if it is right, the operator of the service has to mend its certificate.`,
  },
  certificate: {
    line: sentence`a certificate that is not trusted here`,
    means: (origin) =>
      sentence`The certificate that came for ${origin} is from an authority that this computer does not trust: a company’s proxy or an antivirus that inspects connections, or a service with a certificate of its own making.`,
    remedy: sentence`If your company or an antivirus inspects connections, have its certificate authority installed in the system; otherwise report it to the operator of the service.`,
  },
  proxy: {
    line: sentence`the proxy opened no connection`,
    means: (origin) => sentence`The proxy of this network opened no connection to ${origin}.`,
    remedy: sentence`Ask the network’s administrator to let Countersign reach the service through the proxy.`,
  },
  'proxy-away': {
    line: sentence`the proxy cannot be reached`,
    means: (origin) => sentence`The proxy that the system names for ${origin} cannot be reached.`,
    remedy: sentence`Check the proxy in the system’s network settings.`,
  },
  'proxy-sign-in': {
    line: sentence`the proxy asks for a sign-in (407)`,
    means: (origin) =>
      sentence`The proxy of this network asks for a sign-in before it leads to ${origin}; Countersign has none.`,
    remedy: sentence`Ask the network’s administrator to let Countersign reach the service without a sign-in at the proxy.`,
  },
  redirect: {
    line: sentence`a redirect, not followed`,
    means: (origin) => sentence`${origin} sends elsewhere, and Countersign never follows with a credential.`,
    remedy: sentence`Use the address that the service really answers at.`,
  },
  unreachable: {
    line: sentence`the network is unreachable`,
    means: (origin) => sentence`No way leads to ${origin} from this network.`,
    remedy: sentence`Check the network or VPN of this computer.`,
  },
  port: {
    line: sentence`a port that is not opened`,
    means: (origin) =>
      sentence`The port in ${origin} belongs to another protocol, and nothing is sent there (Fetch standard, port blocking).`,
    remedy: sentence`Check the port of the address.`,
  },
  cut: {
    line: sentence`the connection was cut`,
    means: (origin) => sentence`The connection to ${origin} ended before an answer was there.`,
    remedy: sentence`Try again; if it stays, ask the operator of the service or a proxy before it.`,
  },
};

export const noAnswerLine = (because: NoAnswer): Sentence => noAnswers[because].line;

export function meaningOfNoAnswer(because: NoAnswer, origin: string): Meaning {
  const { means, remedy } = noAnswers[because];
  return { means: means(origin), remedy };
}

/** The origin of a redirect; the rest of the address may contain a credential. Null if the redirect has no address. */
export function redirectPlace({ headers }: { headers: AnswerHeaders }): string | null {
  const url = URL.parse(headers.get('location') ?? '');
  return url === null || url.host === '' ? null : `${url.protocol}//${url.host}`;
}
