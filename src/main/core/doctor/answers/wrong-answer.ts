import { isRedirect } from '#core/service-client/index.ts';
import { type OwnWords, ownWords, sentence } from '#shared/lib/sentence.ts';
import { isJsonObject, type JsonObject } from '#shared/lib/json/json-value.ts';
import { type Answered, isWebPage, quote } from './ask.ts';
import { type Meaning, notReady, redirectPlace, sendReport, wrongHost } from './no-answer.ts';

const askOwner = sentence`Report it to the operator of the service.`;
const useAddress = sentence`Use the exact tools address that the operator gave you.`;

export const askForModules = sentence`Ask the operator which modules this account should have.`;

/** Explains an unexpected answer; null if it is 200 and no web page. */
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

/** Explains a tool’s result that is an error; null if it is none. */
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
