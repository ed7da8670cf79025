import { failureCodes } from '#core/service-client/index.ts';
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
export type NoAnswer = 'timeout' | 'refused' | 'name' | 'tls' | 'redirect' | 'unreachable' | 'port' | 'cut';

const tlsCodes =
  /^(ERR_SSL|ERR_TLS|CERT_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT|UNABLE_TO_|EPROTO|HOSTNAME_MISMATCH)/;

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
      means: `No secure connection to ${origin} came about: its certificate is not trusted here, has expired or is for another name, or it does not speak TLS.`,
      remedy: 'Check the address; if it is right, the operator of the service has to mend its certificate.',
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

/** In the line that says what came back. */
export const noAnswerWords: Readonly<Record<NoAnswer, string>> = {
  timeout: 'nothing in time',
  refused: 'the connection was refused',
  name: 'the name was not found',
  tls: 'no secure connection',
  redirect: 'a redirect, not followed',
  unreachable: 'the network is unreachable',
  port: 'a port that is not opened',
  cut: 'the connection was cut',
};
