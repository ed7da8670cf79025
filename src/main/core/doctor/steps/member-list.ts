import { tokenExpiry } from '#core/connections/index.ts';
import { createMemberClient } from '#core/service-client/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { counted } from '#shared/lib/counted.ts';
import { how } from '../how.ts';
import { meaningOfRefusal, refusalLine } from '../refusals.ts';
import { duration, milliseconds } from '../words.ts';
import { failed, notice, ok, skipped, type Examination, type Finding, type Step } from './step.ts';

/** So few rows are asked for that a service with campaigns shows whether it counts. */
const perPage = 2;

/** The member’s campaigns over REST (contract §4.1), as the app reads them. An account without campaigns is fine. */
export const memberList: Step = {
  id: 'member-list',
  title: 'Member campaigns',
  asks: ({ addresses }) => `GET ${addresses.baseUrl}/login/campaigns/campaigns?page=1&perPage=${perPage}`,
  at: ({ addresses }) => addresses.baseUrl,
  blocked: ({ patient }) =>
    patient.memberToken === null
      ? skipped('There is no member token, so the campaigns were not asked.', how(patient).memberToken)
      : null,
  async examine(examination) {
    const { patient, timeoutMs, signal, logger, clock } = examination;
    const token = patient.memberToken ?? '';
    const { baseUrl } = patient.addresses;
    const client = createMemberClient({ baseUrl, token: async () => token, timeoutMs, logger });
    const startedAt = clock.monotonicMs();
    try {
      const { data, total } = await client.list({ page: 1, perPage }, signal);
      const time = milliseconds(clock.monotonicMs() - startedAt);
      return described({ rows: data.length, total, time, token }, examination);
    } catch (failure) {
      signal.throwIfAborted();
      if (!(failure instanceof AppError)) throw failure;
      return failed(refusalLine(failure), meaningOfRefusal(failure, 'member', patient));
    }
  },
};

function described(
  { rows, total, time, token }: { rows: number; total: number; time: string; token: string },
  { clock }: Examination,
): Finding {
  const endsAtMs = tokenExpiry(token);
  const end = endsAtMs === null ? '' : `; the token is good for ${duration(endsAtMs - clock.nowMs())}`;
  const line = `200 in ${time}: ${total === 0 ? 'no campaigns yet' : `${rows} of ${counted(total, 'campaign')}`}${end}`;
  if (rows <= perPage) return ok(line);
  return notice(line, {
    means: `The service gave ${counted(rows, 'row')} where ${perPage} were asked for: it does not honour perPage (contract §8).`,
    remedy: 'Send this report to the operator of the service.',
  });
}
