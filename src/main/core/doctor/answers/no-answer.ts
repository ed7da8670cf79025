import { type AnswerHeaders, failureCodes, untrustedCodes } from '#core/service-client/index.ts';
import { AppError } from '#shared/errors/index.ts';

/** The meaning of a failure or a notice, and the one thing to do: a sentence each. */
export interface Meaning {
  means: string;
  remedy: string;
}

/** 421 (contract §7.3). */
export const wrongHost: Meaning = {
  means: 'The service does not answer under this host name: it is no valid, enabled domain of a customer.',
  remedy: 'Use the exact host name that the operator gave you.',
};

/** 503 (contract §4.3, §7.3). */
export const notReady: Meaning = {
  means: 'The service is alive but not ready: something that it depends on is away.',
  remedy: 'Wait until it is ready again; if it persists, report it to the operator of the service.',
};

/** Reason for a missing answer, as far as the network shows it. */
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

/** Deeper causes say nothing more. */
const deepest = 6;

/**
 * Finds the reason in the failure of a request and its causes. Their own words are never shown: they may contain an
 * address.
 */
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

const askOwner = 'Check the host and the port; if they are right, ask the operator of the service.';

/** Explains that no answer came from this origin. */
export function meaningOfNoAnswer(because: NoAnswer, origin: string): Meaning {
  const meanings: Record<NoAnswer, Meaning> = {
    timeout: {
      means: `Nothing came from ${origin} in time: the service is overloaded, or a firewall swallows the request.`,
      remedy: 'Try again; if it stays, ask the operator of the service or the network.',
    },
    refused: { means: `Nothing listens at ${origin}.`, remedy: askOwner },
    name: {
      means: `The name in ${origin} is not known to the network.`,
      remedy: 'Check the spelling of the address, and that this computer is online.',
    },
    tls: {
      means: `No secure connection to ${origin} came about: its certificate has expired or is for another name, or it does not speak TLS.`,
      remedy: 'Check the address; if it is right, the operator of the service has to mend its certificate.',
    },
    certificate: {
      means: `The certificate that came for ${origin} is from an authority that this computer does not trust: a company’s proxy or an antivirus that inspects connections, or a service with a certificate of its own making.`,
      remedy:
        'If your company or an antivirus inspects connections, have its certificate authority installed in the system; otherwise report it to the operator of the service.',
    },
    proxy: {
      means: `The proxy of this network opened no connection to ${origin}.`,
      remedy: 'Ask the network’s administrator to let Countersign reach the service through the proxy.',
    },
    'proxy-away': {
      means: `The proxy that the system names for ${origin} cannot be reached.`,
      remedy: 'Check the proxy in the system’s network settings.',
    },
    'proxy-sign-in': {
      means: `The proxy of this network asks for a sign-in before it leads to ${origin}; Countersign has none.`,
      remedy:
        'Ask the network’s administrator to let Countersign reach the service without a sign-in at the proxy.',
    },
    redirect: {
      means: `${origin} sends elsewhere, and Countersign never follows with a credential.`,
      remedy: 'Use the address that the service really answers at.',
    },
    unreachable: {
      means: `No way leads to ${origin} from this network.`,
      remedy: 'Check the network or VPN of this computer.',
    },
    port: {
      means: `The port in ${origin} belongs to another protocol, and nothing is sent there (Fetch standard, port blocking).`,
      remedy: 'Check the port of the address.',
    },
    cut: {
      means: `The connection to ${origin} ended before an answer was there.`,
      remedy: 'Try again; if it stays, ask the operator of the service or a proxy before it.',
    },
  };
  return meanings[because];
}

export const noAnswerWords: Readonly<Record<NoAnswer, string>> = {
  timeout: 'nothing in time',
  refused: 'the connection was refused',
  name: 'the name was not found',
  tls: 'no secure connection',
  certificate: 'a certificate that is not trusted here',
  proxy: 'the proxy opened no connection',
  'proxy-away': 'the proxy cannot be reached',
  'proxy-sign-in': 'the proxy asks for a sign-in (407)',
  redirect: 'a redirect, not followed',
  unreachable: 'the network is unreachable',
  port: 'a port that is not opened',
  cut: 'the connection was cut',
};

/** Where a redirect leads: the origin alone, since the rest may be anything, a credential included. Null if it does not say. */
export function redirectPlace({ headers }: { headers: AnswerHeaders }): string | null {
  const url = URL.parse(headers.get('location') ?? '');
  return url === null || url.host === '' ? null : `${url.protocol}//${url.host}`;
}
