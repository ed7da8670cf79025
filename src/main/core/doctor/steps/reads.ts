import { tokenExpiry } from '#core/connections/index.ts';
import {
  createMemberClient,
  createPublisherClient,
  type PublisherClient,
} from '#core/service-client/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { redirectPlace, sendReport, whyNoAnswer } from '../answers/no-answer.ts';
import { isWebPage, duration, listed, milliseconds } from '../answers/ask.ts';
import {
  askForModules,
  remediesFor,
  meaningOfRefusal,
  refusalLine,
  toolRefusal,
  webPage,
} from '../answers/refusals.ts';
import { type Examination, failed, type Finding, notice, ok, skipped, type ExaminationStep } from './step.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';
import { type OwnWords, ownWords, type Sentence, sentence } from '#shared/lib/sentence.ts';

export const whoami: ExaminationStep = {
  id: 'whoami',
  title: 'Who am I',
  asks: ({ addresses }) => sentence`POST ${ownWords(addresses.mcpUrl)}/mcp: tools/call svc_whoami`,
  at: ({ addresses }) => addresses.mcpUrl,
  blocked: ({ facts }) => (facts.signedIn ? null : skipped(sentence`Requires a valid sign-in.`)),
  async examine(examination) {
    const { remote, signal, timeoutMs, clock, facts } = examination;
    const startedAt = clock.monotonicMs();
    const called = remote().callTool('svc_whoami', {}, { signal, timeoutMs });
    const result = await called.catch((failure: unknown) => {
      facts.remoteOpen = failure instanceof AppError && failure.code === 'tool_refused';
      throw failure;
    });
    facts.remoteOpen = true;
    const time = milliseconds(clock.monotonicMs() - startedAt);
    const refusal = toolRefusal(result);
    if (refusal !== null) return failed(sentence`refused in ${time}: ${refusal.words}`, refusal);
    return whoamiFinding(result, time, examination);
  },
};

function whoamiFinding(result: JsonObject, time: OwnWords, { facts }: Examination): Finding {
  const content = fieldOf(result, 'structuredContent');
  const data = fieldOf(content, 'data');
  if (!isJsonObject(data)) {
    return failed(sentence`an answer in ${time} without its data`, {
      means: sentence`The tool gave no structured content of the form {status, data} (contract §2.7).`,
      remedy: sendReport,
    });
  }
  if (facts.tids.length === 0) facts.tids = numbersOf(fieldOf(fieldOf(data, 'sources'), 'tids'));
  const identity = fieldOf(data, 'identity');
  const modules = data['modules'];
  const type = isJsonObject(identity) ? identity['type'] : identity;
  const line = sentence`an answer in ${time}: tenant ${listedValue(data['tenant'])}; identity ${listedValue(type)}; scopes ${listedValues(data['scopes'])}; modules ${listedValues(modules)}`;
  if (!Array.isArray(data['scopes'])) {
    return notice(line, {
      means: sentence`The service does not say which scopes the sign-in has, so Countersign cannot tell what it may do.`,
      remedy: sentence`Send this report to the operator of the service: svc_whoami returns scopes (contract §4.3).`,
    });
  }
  if (!Array.isArray(modules) || modules.length > 0) return ok(line);
  return notice(line, {
    means: sentence`The account has no module, so that no tool shows it anything.`,
    remedy: askForModules,
  });
}

function fieldOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(value) ? value[name] : undefined;
}

const listedValue = (value: JsonValue | undefined): OwnWords => listed([value]);
const listedValues = (value: JsonValue | undefined): OwnWords => listed(Array.isArray(value) ? value : []);

function numbersOf(value: JsonValue | undefined): number[] {
  if (!Array.isArray(value)) return [];
  return value.filter(
    (item) => typeof item === 'number' && Number.isSafeInteger(item) && item > 0,
  ) as number[];
}

const listTool = 'svc_list_campaigns';

export const tools: ExaminationStep = {
  id: 'tools',
  title: 'Tools',
  asks: ({ addresses }) =>
    sentence`POST ${ownWords(addresses.mcpUrl)}/mcp: tools/list, then tools/call ${ownWords(listTool)}`,
  at: ({ addresses }) => addresses.mcpUrl,
  blocked: ({ facts }) =>
    facts.signedIn && facts.remoteOpen
      ? null
      : skipped(sentence`It needs a remote endpoint that lets us in.`),
  async examine({ remote, signal, timeoutMs, clock, formats }) {
    const startedAt = clock.monotonicMs();
    const names = (await remote().listTools()).map(({ name }) => name);
    const version = listed([await remote().protocolVersion()]);
    const line = (): Sentence =>
      sentence`${ownWords(formats.counted(names.length, 'tool'))} in ${milliseconds(clock.monotonicMs() - startedAt)} over MCP ${version}: ${listed(names)}`;
    if (!names.includes(listTool)) {
      return notice(line(), {
        means: sentence`The service does not offer ${ownWords(listTool)} here: the account’s modules or menu do not have campaigns.`,
        remedy: askForModules,
      });
    }
    const result = await remote().callTool(listTool, { offset: 0, limit: 1 }, { signal, timeoutMs });
    const refusal = toolRefusal(result);
    return refusal === null
      ? ok(line())
      : failed(sentence`${ownWords(line())}; ${ownWords(listTool)} refused: ${refusal.words}`, refusal);
  },
};

/** Small, so that a service that ignores `perPage` returns too many rows. */
const perPage = 2;

/** Contract §4.1. An account without campaigns passes. */
export const memberList: ExaminationStep = {
  id: 'member-list',
  title: 'Member campaigns',
  asks: ({ addresses }) =>
    sentence`GET ${ownWords(addresses.baseUrl)}/login/campaigns/campaigns?page=1&perPage=${perPage}`,
  at: ({ addresses }) => addresses.baseUrl,
  blocked: ({ target }) =>
    target.memberToken === null
      ? skipped(
          sentence`There is no member token, so the campaigns were not asked.`,
          remediesFor(target).memberToken,
        )
      : null,
  async examine(examination) {
    const { target, timeoutMs, signal, logger, clock } = examination;
    const token = target.memberToken ?? '';
    const { baseUrl } = target.addresses;
    const client = createMemberClient({ baseUrl, token: async () => token, timeoutMs, logger });
    const startedAt = clock.monotonicMs();
    try {
      const { data, total } = await client.list({ page: 1, perPage }, signal);
      const tookMs = clock.monotonicMs() - startedAt;
      return campaignListFinding({ rows: data.length, total, tookMs, token }, examination);
    } catch (failure) {
      signal.throwIfAborted();
      if (!(failure instanceof AppError)) throw failure;
      return refusedRead(failure, 'member', { url: `${baseUrl}/login/campaigns/campaigns`, examination });
    }
  },
};

const slowMs = 5_000;

/** Requests the address again without credentials, so that the report can name the target of a redirect or a web page. */
async function refusedRead(
  failure: AppError,
  endpoint: 'member' | 'publisher',
  { url, examination }: { url: string; examination: Examination },
): Promise<Finding> {
  const known = failed(refusalLine(failure), meaningOfRefusal(failure, endpoint, examination.target));
  const isRedirect = failure.code === 'service_unreachable' && whyNoAnswer(failure.cause) === 'redirect';
  if (!isRedirect && failure.code !== 'service_answer_unreadable') return known;
  const asked = await examination.ask(url);
  if (asked.kind === 'none') return known;
  if (!isRedirect) return isWebPage(asked) ? failed(known.answer, webPage) : known;
  const place = redirectPlace(asked);
  return place === null
    ? known
    : { ...known, means: sentence`${ownWords(known.means ?? '')} It leads to ${place}.` };
}

function campaignListFinding(
  { rows, total, tookMs, token }: { rows: number; total: number; tookMs: number; token: string },
  { clock, formats }: Examination,
): Finding {
  const endsAtMs = tokenExpiry(token);
  const count = ownWords(
    total === 0 ? 'no campaigns yet' : `${rows} of ${formats.counted(total, 'campaign')}`,
  );
  const counted = sentence`200 in ${milliseconds(tookMs)}: ${count}`;
  const line =
    endsAtMs === null
      ? counted
      : sentence`${ownWords(counted)}; the token is good for ${duration(endsAtMs - clock.nowMs())}`;
  if (rows > perPage) {
    return notice(line, {
      means: sentence`The service gave ${ownWords(formats.counted(rows, 'row'))} where ${perPage} were asked for: it does not honour perPage (contract §8).`,
      remedy: sendReport,
    });
  }
  if (tookMs <= slowMs) return ok(line);
  return notice(line, {
    means: sentence`The service took ${duration(tookMs)} for a page of ${perPage} campaigns, so that lists and checks before a write are as slow.`,
    remedy: sentence`Try again; if it stays, send this report to the operator of the service.`,
  });
}

const dayMs = 24 * 60 * 60 * 1000;

/** Contract §4.2. The XML statistics need a given or reported TID. */
export const publisherReports: ExaminationStep = {
  id: 'publisher-reports',
  title: 'Publisher reports',
  asks: ({ addresses }) =>
    sentence`GET ${ownWords(addresses.apiUrl)}/publisher/search-report?token=…, for yesterday`,
  at: ({ addresses }) => addresses.apiUrl,
  blocked: ({ target }) =>
    target.publisherKey === null
      ? skipped(
          sentence`There is no publisher key, so the reports were not asked.`,
          remediesFor(target).publisherKey,
        )
      : null,
  async examine(examination) {
    const { target, timeoutMs, signal, logger, clock, formats } = examination;
    const key = target.publisherKey ?? '';
    const { apiUrl } = target.addresses;
    const client = createPublisherClient({ apiUrl, token: async () => key, timeoutMs, logger });
    const day = new Date(clock.nowMs() - dayMs).toISOString().slice(0, 10);
    const startedAt = clock.monotonicMs();
    try {
      const { rows } = await client.searchReport({ from: day, to: day }, signal);
      const time = milliseconds(clock.monotonicMs() - startedAt);
      return await withStatistics(
        sentence`200 in ${time}: ${ownWords(formats.counted(rows.length, 'row'))} for ${ownWords(day)}`,
        { client, day },
        examination,
      );
    } catch (failure) {
      signal.throwIfAborted();
      if (!(failure instanceof AppError)) throw failure;
      return refusedRead(failure, 'publisher', { url: `${apiUrl}/publisher/search-report`, examination });
    }
  },
};

async function withStatistics(
  read: Sentence,
  { client, day }: { client: PublisherClient; day: string },
  { target, facts, signal, formats }: Examination,
): Promise<Finding> {
  const line = ownWords(read);
  const [tid] = facts.tids;
  if (tid === undefined) {
    const { tid: hint } = remediesFor(target);
    return ok(
      hint === null
        ? sentence`${line}; no TID is known for /xml/stats`
        : sentence`${line}; no TID is known for /xml/stats (${ownWords(hint)})`,
    );
  }
  const asked = sentence`GET ${ownWords(target.addresses.apiUrl)}/publisher/search-report?token=…, then /xml/stats?token=…&tid=${tid}, for ${ownWords(day)}`;
  try {
    const { rows } = await client.xmlStats({ tid, from: day, to: day }, signal);
    facts.openTid = tid;
    return {
      ...ok(sentence`${line}; /xml/stats of TID ${tid}: ${ownWords(formats.counted(rows.length, 'row'))}`),
      asked,
    };
  } catch (failure) {
    signal.throwIfAborted();
    if (!(failure instanceof AppError)) throw failure;
    const answer = sentence`${line}; /xml/stats of TID ${tid}: ${ownWords(refusalLine(failure))}`;
    // The key and the sign-in may belong to different accounts. Then refusing the TID is correct.
    if (failure.code === 'source_forbidden' && target.tid === undefined) return { ...ok(answer), asked };
    if (failure.status !== 403) {
      return { ...failed(answer, meaningOfRefusal(failure, 'publisher', target)), asked };
    }
    return {
      ...notice(answer, {
        means: sentence`The publisher key does not open the XML statistics of TID ${tid}: it is another account’s, or lacks publisher:xml:read.`,
        remedy: sentence`Check with the operator which TIDs and scopes this key has.`,
      }),
      asked,
    };
  }
}
