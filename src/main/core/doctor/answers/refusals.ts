import { tokenExpiry } from '#core/connections/index.ts';
import type { AppError, ErrorCode } from '#shared/errors/index.ts';
import { redactText } from '#shared/lib/redact.ts';
import { ownWords, type Sentence, sentence } from '#shared/lib/sentence.ts';
import type { DiagnosticTarget } from '../diagnostic-target.ts';
import {
  type Meaning,
  meaningOfNoAnswer,
  noAnswerLine,
  notReady,
  sendReport,
  whyNoAnswer,
  wrongHost,
} from './no-answer.ts';

/** The endpoint of the service that was asked (contract §5). */
type Endpoint = 'remote' | 'member' | 'publisher';

/** The facts about a service on which the words for a refusal depend. */
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

/** The line that says what came back in place of an answer. */
export function refusalLine(failure: AppError): Sentence {
  if (noAnswers.has(failure.code)) return noAnswerLine(whyNoAnswer(failure.cause));
  const { status } = failure.data;
  const fields = failure.fields.map(({ field, message }) => sentence` ${field}: ${ownWords(message)}`);
  const words = ownWords(redactText(failure.message + fields.join(';')));
  return typeof status === 'number' ? sentence`${status}: ${words}` : sentence`${words}`;
}

/** Explains a refusal at this endpoint, with the one thing to do; otherwise in the catalogue's words. */
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

/** Our own sentence alone: the answer contains the service’s words already. */
function ownSentence({ message, data }: AppError): Sentence {
  const own = typeof data['ownWords'] === 'string' ? data['ownWords'] : message;
  return sentence`${ownWords(redactText(own))}`;
}

/** Returns the remedies for a missing credential, in the words of the place in which the doctor runs. */
export function remediesFor({ profileId, subject }: Pick<DiagnosticTarget, 'profileId' | 'subject'>): {
  signIn: Sentence;
  memberToken: Sentence;
  publisherKey: Sentence;
  /** Null in the app, where the service names the sources. */
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

/** Failures whose catalogue words say less than the doctor's. */
const explained: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...noAnswers,
  'service_answer_unreadable',
  'service_unavailable',
]);

/** Explains a failed read of publisher reports to a person at a terminal, with the one thing to do, in the words of the doctor. */
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
  return {
    line: explained.has(failure.code) ? means : sentence`${ownWords(redactText(failure.message))}`,
    remedy,
  };
}
