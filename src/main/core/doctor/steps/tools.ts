import { AppError } from '#shared/errors/index.ts';
import { counted } from '#shared/lib/counted.ts';
import { meaningOfRefusal, refusalLine } from '../refusals.ts';
import { toolRefusal } from '../tool-refusal.ts';
import { listed, milliseconds } from '../words.ts';
import { failed, notice, ok, skipped, type Examination, type Finding, type Step } from './step.ts';

const listTool = 'svc_list_campaigns';

/** Which tools this member sees (contract §4.3), to the last page, and one row through the tool that lists campaigns. */
export const tools: Step = {
  id: 'tools',
  title: 'Tools',
  asks: ({ addresses }) => `POST ${addresses.mcpUrl}/mcp: tools/list, then tools/call ${listTool}`,
  at: ({ addresses }) => addresses.mcpUrl,
  blocked: ({ facts }) =>
    facts.signedIn && facts.remoteOpen ? null : skipped('It needs a remote endpoint that lets us in.'),
  async examine(examination) {
    try {
      return await look(examination);
    } catch (failure) {
      examination.signal.throwIfAborted();
      if (!(failure instanceof AppError)) throw failure;
      return failed(refusalLine(failure), meaningOfRefusal(failure, 'remote', examination.patient));
    }
  },
};

async function look({ remote, signal, timeoutMs, clock }: Examination): Promise<Finding> {
  const startedAt = clock.monotonicMs();
  const names = (await remote().listTools()).map(({ name }) => name);
  const line = (): string =>
    `${counted(names.length, 'tool')} in ${milliseconds(clock.monotonicMs() - startedAt)}: ${listed(names)}`;
  if (!names.includes(listTool)) {
    return notice(line(), {
      means: `The service does not offer ${listTool} here: the account’s modules or menu do not have campaigns.`,
      remedy: 'Ask the operator which modules this account should have.',
    });
  }
  const result = await remote().callTool(listTool, { offset: 0, limit: 1 }, { signal, timeoutMs });
  const refusal = toolRefusal(result);
  return refusal === null ? ok(line()) : failed(`${line()}; ${listTool} refused: ${refusal.words}`, refusal);
}
