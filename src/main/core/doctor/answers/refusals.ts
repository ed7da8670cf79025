import { tokenExpiry } from '#core/connections/index.ts';
import type { AppError, ErrorCode } from '#shared/errors/index.ts';
import { redactText } from '#shared/lib/redact.ts';
import { ownWords, type Sentence, sentence, type OwnWords } from '#shared/lib/sentence.ts';
import type { DiagnosticTarget } from '../diagnostic-target.ts';
import {
  type Meaning,
  meaningOfNoAnswer,
  noAnswerLine,
  notReady,
  sendReport,
  whyNoAnswer,
  wrongHost,
  redirectPlace,
} from './no-answer.ts';
import { isRedirect } from '#core/service-client/index.ts';
import { isJsonObject, type JsonObject } from '#shared/lib/json/json-value.ts';
import { type Answered, isWebPage, quote } from './ask.ts';

type Endpoint = 'remote' | 'member' | 'publisher';

type RefusedTarget = Pick<
  DiagnosticTarget,
  'profileId' | 'subject' | 'addresses' | 'memberToken' | 'remoteAccess'
>;

const noAnswers: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'service_unreachable',
  'certificate_untrusted',
  'proxy_refused',
  'proxy_sign_in_needed',
  'outcome_unknown',
]);

export function refusalLine(failure: AppError): Sentence {
  if (noAnswers.has(failure.code)) return noAnswerLine(whyNoAnswer(failure.cause));
  const { status } = failure.data;
  const fields = failure.fields.map(({ field, message }) => sentence` ${field}: ${ownWords(message)}`);
  const words = ownWords(redactText(failure.message + fields.join(';')));
  return typeof status === 'number' ? sentence`${status}: ${words}` : sentence`${words}`;
}

export function meaningOfRefusal(failure: AppError, endpoint: Endpoint, target: RefusedTarget): Meaning {
  const { addresses } = target;
  const origin = { remote: addresses.mcpUrl, member: addresses.baseUrl, publisher: addresses.apiUrl }[
    endpoint
  ];
  if (failure.data['status'] === 421) return wrongHost;
  switch (failure.code) {
    case 'service_unreachable':
    case 'certificate_untrusted':
    case 'proxy_refused':
    case 'proxy_sign_in_needed':
    case 'outcome_unknown':
      return meaningOfNoAnswer(whyNoAnswer(failure.cause), new URL(origin).origin);
    case 'unauthenticated':
    case 'sign_in_needed':
    case 'token_invalid':
    case 'publisher_key_invalid':
      return refusedCredential(endpoint, target);
    case 'forbidden':
    case 'menu_denied':
    case 'publisher_scope_missing':
      return forbidden(endpoint, target);
    case 'scope_needed':
    case 'scope_missing':
      return {
        means: sentence`The sign-in does not have the scope that this needs.`,
        remedy: remediesFor(target).signIn,
      };
    case 'wrong_host':
      return wrongHost;
    case 'rate_limited':
      return {
        means: sentence`A quota of the service is used up.`,
        remedy: sentence`Wait a few minutes, then examine it again.`,
      };
    case 'service_unavailable':
      return notReady;
    case 'service_answer_unreadable':
      if (failure.data['found'] === 'page')
        return {
          means: ownSentence(failure),
          remedy: sentence`Check the address, and whether this network asks you to sign in first.`,
        };
      if (failure.data['found'] === 'error') return { means: ownSentence(failure), remedy: sendReport };
      return {
        means: sentence`What came is not the answer that the contract describes: a proxy stands in between, the address is another site’s, or the service has changed.`,
        remedy: sentence`Check the address; if it is right, send this report to the operator of the service.`,
      };
    case 'protocol_failed':
      return { means: ownSentence(failure), remedy: sendReport };
    case 'object_not_found':
      return {
        means: sentence`There is no remote endpoint at this address.`,
        remedy: sentence`Use the exact tools address that the operator gave you.`,
      };
    case 'campaign_not_found':
      return {
        means: sentence`There is nothing at this path: the address is not that of the member backend.`,
        remedy: sentence`Check that the campaigns address ends in /api/v1 and is the one that the operator gave you.`,
      };
    default:
      return { means: ownSentence(failure), remedy: failure.next };
  }
}

function refusedCredential(endpoint: Endpoint, target: RefusedTarget): Meaning {
  const { memberToken, remoteAccess } = target;
  if (endpoint === 'publisher') {
    return {
      means: sentence`The service does not know the publisher key, or it was revoked.`,
      remedy: remediesFor(target).publisherKey,
    };
  }
  if (endpoint === 'remote' && remoteAccess === 'oauth') {
    return {
      means: sentence`The service takes no token of this sign-in: it has ended, was revoked, or is for another resource.`,
      remedy: remediesFor(target).signIn,
    };
  }
  const endsAtMs = memberToken === null ? null : tokenExpiry(memberToken);
  const end = ownWords(
    endsAtMs === null ? 'has ended or' : `says that it ends ${new Date(endsAtMs).toISOString()}, and`,
  );
  return {
    means: sentence`The service does not take the member token, which ${end} is not one of this service.`,
    remedy: remediesFor(target).memberToken,
  };
}

function forbidden(endpoint: Endpoint, target: RefusedTarget): Meaning {
  const meanings: Record<Endpoint, Meaning> = {
    remote: {
      means: sentence`The sign-in is right, and the account may not do this: the remote tools are not in its menu, or its role, module or a policy forbids it.`,
      remedy: sentence`Ask the operator to switch the remote tools on for this account.`,
    },
    member: {
      means: sentence`The token is right, and its account may not read campaigns: it is no advertiser member.`,
      remedy: remediesFor(target).memberToken,
    },
    publisher: {
      means: sentence`The publisher key is right, and it does not have the scope publisher:search:read.`,
      remedy: sentence`Ask the operator for a key with the scopes of both reports.`,
    },
  };
  return meanings[endpoint];
}

/** Omits the service's text, because the line about the answer already quotes it. */
function ownSentence({ message, data }: AppError): Sentence {
  const own = typeof data['ownWords'] === 'string' ? data['ownWords'] : message;
  return sentence`${ownWords(redactText(own))}`;
}

/** Remedies that name options in a terminal, and pages in the app. */
export function remediesFor({ profileId, subject }: Pick<DiagnosticTarget, 'profileId' | 'subject'>): {
  signIn: Sentence;
  memberToken: Sentence;
  publisherKey: Sentence;
  tid: Sentence | null;
} {
  if (profileId === null) {
    return {
      signIn: sentence`Add --sign-in to sign in for this run.`,
      memberToken: sentence`Set COUNTERSIGN_MEMBER_TOKEN to a valid member token.`,
      publisherKey: sentence`Set COUNTERSIGN_PUBLISHER_KEY to a valid publisher key.`,
      tid: sentence`--tid names one`,
    };
  }
  return {
    signIn: sentence`Sign in to ${subject} on the Profiles page.`,
    memberToken: sentence`Paste a valid member token on the Profiles page.`,
    publisherKey: sentence`Paste a valid publisher key on the Profiles page.`,
    tid: null,
  };
}

const explained: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...noAnswers,
  'service_answer_unreadable',
  'service_unavailable',
]);

export function explainPublisherRefusal(
  failure: AppError,
  apiUrl: string,
): { line: Sentence; remedy: Sentence } {
  const addresses = { baseUrl: apiUrl, apiUrl, mcpUrl: apiUrl };
  const { means, remedy } = meaningOfRefusal(failure, 'publisher', {
    profileId: null,
    subject: apiUrl,
    addresses,
    memberToken: null,
    remoteAccess: 'oauth',
  });
  const repeatsService = failure.data['found'] === 'error';
  // The doctor's remedies speak of its own examination and report.
  const isDoctors = failure.code === 'rate_limited' || failure.code === 'service_answer_unreadable';
  return {
    line:
      explained.has(failure.code) && !repeatsService
        ? means
        : sentence`${ownWords(redactText(failure.message))}`,
    remedy: isDoctors && failure.data['found'] !== 'page' ? failure.next : remedy,
  };
}

const askOwner = sentence`Report it to the operator of the service.`;
const useAddress = sentence`Use the exact tools address that the operator gave you.`;

export const askForModules = sentence`Ask the operator which modules this account should have.`;

/** Null for a status 200 without a web page. */
export function meaningOfStatus(answer: Answered, what: OwnWords): Meaning | null {
  const { status } = answer;
  if (isRedirect(answer)) return redirected(answer);
  if (status === 200) return isWebPage(answer) ? webPage : null;
  return meanings[status] ?? byClass(status, what);
}

export const webPage: Meaning = {
  means: sentence`A web page came in place of the service’s answer: a proxy or its sign-in page stands in between, or the address is another site’s.`,
  remedy: sentence`Check the address, and whether this network asks you to sign in first.`,
};

const meanings: Readonly<Partial<Record<number, Meaning>>> = {
  401: {
    means: sentence`The service, or a proxy before it, wants credentials where the contract has none.`,
    remedy: askOwner,
  },
  403: {
    means: sentence`The service, or a firewall before it, turns this computer away.`,
    remedy: sentence`Ask the operator of the service whether this network may reach it.`,
  },
  404: {
    means: sentence`There is nothing at this path: the address is not the tools address of a service.`,
    remedy: useAddress,
  },
  421: wrongHost,
  429: {
    means: sentence`The service has been asked too often from here.`,
    remedy: sentence`Wait a few minutes, then examine it again.`,
  },
  503: notReady,
};

function byClass(status: number, what: OwnWords): Meaning {
  if (status >= 500) return { means: sentence`The service failed at ${what}.`, remedy: askOwner };
  return {
    means: sentence`The service gave an answer that the contract does not have for ${what}.`,
    remedy: askOwner,
  };
}

function redirected(answer: Answered): Meaning {
  const target = redirectPlace(answer);
  return {
    means:
      target === null
        ? sentence`The address sends elsewhere, and Countersign follows no redirect.`
        : sentence`The address sends elsewhere, to ${target}, and Countersign follows no redirect.`,
    remedy: sentence`Ask the operator for the address that the service really answers at.`,
  };
}

/** Null for a result that is not an error. */
export function toolRefusal(result: JsonObject): (Meaning & { words: OwnWords }) | null {
  if (result['isError'] !== true) return null;
  const content = result['structuredContent'];
  const error = isJsonObject(content) ? content['error'] : null;
  const message = isJsonObject(error) ? error['message'] : firstText(result);
  const status = isJsonObject(error) ? error['statusCode'] : null;
  const words = typeof message === 'string' ? quote(message) : ownWords('without a word');
  if (status === 403) {
    return {
      words,
      means: sentence`The account may not use this tool: its role, its modules or a policy forbids it.`,
      remedy: askForModules,
    };
  }
  return {
    words,
    means: sentence`The service ran the tool and says that it failed.`,
    remedy: sendReport,
  };
}

function firstText(result: JsonObject): unknown {
  const { content } = result;
  const [first] = Array.isArray(content) ? content : [];
  return isJsonObject(first) ? first['text'] : null;
}
