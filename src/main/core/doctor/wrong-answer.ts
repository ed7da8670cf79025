import { isWebPage, type Answered } from './ask.ts';
import { notReady, wrongHost, type Meaning } from './meaning.ts';

const askOwner = 'Tell the operator of the service.';
const useAddress = 'Use the exact tools address that the operator gave you.';

/** What an answer means that is not the one that was asked for; null where it is 200 and no web page. */
export function meaningOfStatus(answer: Answered, what: string): Meaning | null {
  const { status } = answer;
  if (status >= 300 && status < 400) return redirected(answer);
  if (status === 200) return isWebPage(answer) ? webPage : null;
  return meanings[status] ?? byClass(status, what);
}

const webPage: Meaning = {
  means:
    'A web page came in place of the service’s answer: a proxy or its sign-in page stands in between, or the address is another site’s.',
  remedy: 'Check the tools address, and whether this network asks you to sign in first.',
};

const meanings: Readonly<Partial<Record<number, Meaning>>> = {
  401: {
    means: 'The service, or a proxy before it, wants credentials where the contract has none.',
    remedy: askOwner,
  },
  403: {
    means: 'The service, or a firewall before it, turns this computer away.',
    remedy: 'Ask the operator of the service whether this network may reach it.',
  },
  404: {
    means: 'There is nothing at this path: the address is not the tools address of a service.',
    remedy: useAddress,
  },
  421: wrongHost,
  429: {
    means: 'The service has been asked too often from here.',
    remedy: 'Wait a few minutes, then examine it again.',
  },
  503: notReady,
};

function byClass(status: number, what: string): Meaning {
  if (status >= 500) return { means: `The service failed at ${what}.`, remedy: askOwner };
  return {
    means: `The service gave an answer that the contract does not have for ${what}.`,
    remedy: askOwner,
  };
}

function redirected({ headers }: Answered): Meaning {
  const target = originOf(headers.get('location') ?? '');
  return {
    means: `The address sends elsewhere${target === null ? '' : `, to ${target}`}, and Countersign follows no redirect.`,
    remedy: 'Ask the operator for the address that the service really answers at.',
  };
}

/** What comes after the origin may be anything, a credential included. */
function originOf(location: string): string | null {
  const url = URL.parse(location);
  return url === null || url.host === '' ? null : `${url.protocol}//${url.host}`;
}
