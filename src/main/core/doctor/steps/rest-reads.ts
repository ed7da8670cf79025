import { tokenExpiry } from '#core/connections/index.ts';
import {
  createMemberClient,
  createPublisherClient,
  type PublisherClient,
} from '#core/service-client/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { redirectPlace, sendReport, whyNoAnswer } from '../answers/no-answer.ts';
import { isWebPage, duration, milliseconds } from '../answers/ask.ts';
import { remediesFor, meaningOfRefusal, refusalLine, webPage } from '../answers/refusals.ts';
import { type Examination, failed, type Finding, notice, ok, skipped, type ExaminationStep } from './step.ts';
import { ownWords, type Sentence, sentence } from '#shared/lib/sentence.ts';

/** Small enough to show whether the service honours it. */
const perPage = 2;

/** Contract §4.1. An account without campaigns is fine. */
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
      return described({ rows: data.length, total, tookMs, token }, examination);
    } catch (failure) {
      signal.throwIfAborted();
      if (!(failure instanceof AppError)) throw failure;
      return refusedRead(failure, 'member', { url: `${baseUrl}/login/campaigns/campaigns`, examination });
    }
  },
};

const slowMs = 5_000;

/** Asks the address again without credentials, to name where a redirect leads or a web page. */
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

function described(
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

/** Contract §4.2. The XML statistics need a TID that the service named. */
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
    // The key may be another account's than the sign-in: then a foreign TID is fine.
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
