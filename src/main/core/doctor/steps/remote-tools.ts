import { AppError } from '#shared/errors/index.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';
import { meaningOfRefusal, refusalLine } from '../answers/refusals.ts';
import { listed, milliseconds } from '../answers/ask.ts';
import { toolRefusal } from '../answers/wrong-answer.ts';
import { type Examination, failed, type Finding, notice, ok, skipped, type ExaminationStep } from './step.ts';
import type { Formats } from '#shared/lib/formats.ts';

/** The account as the service knows it, with its rights (contract §4.3, `svc_whoami`). */
export const whoami: ExaminationStep = {
  id: 'whoami',
  title: 'Who am I',
  asks: ({ addresses }) => `POST ${addresses.mcpUrl}/mcp: tools/call svc_whoami`,
  at: ({ addresses }) => addresses.mcpUrl,
  blocked: ({ facts }) => (facts.signedIn ? null : skipped('Requires a valid sign-in.')),
  async examine(examination) {
    const { remote, signal, timeoutMs, clock, facts, target } = examination;
    const startedAt = clock.monotonicMs();
    let result;
    try {
      result = await remote().callTool('svc_whoami', {}, { signal, timeoutMs });
    } catch (failure) {
      signal.throwIfAborted();
      if (!(failure instanceof AppError)) throw failure;
      facts.remoteOpen = failure.code === 'tool_refused';
      return failed(refusalLine(failure), meaningOfRefusal(failure, 'remote', target));
    }
    facts.remoteOpen = true;
    const time = milliseconds(clock.monotonicMs() - startedAt);
    const refusal = toolRefusal(result);
    if (refusal !== null) return failed(`refused in ${time}: ${refusal.words}`, refusal);
    return describe(result, time, examination);
  },
};

function describe(result: JsonObject, time: string, { facts }: Examination): Finding {
  const content = member(result, 'structuredContent');
  const data = member(content, 'data');
  if (!isJsonObject(data)) {
    return failed(`an answer in ${time} without its data`, {
      means: 'The tool gave no structured content of the form {status, data} (contract §2.7).',
      remedy: 'Send this report to the operator of the service.',
    });
  }
  if (facts.tids.length === 0) facts.tids = numbersOf(member(member(data, 'sources'), 'tids'));
  const identity = member(data, 'identity');
  const modules = data['modules'];
  const words = [
    `tenant ${one(data['tenant'])}`,
    `identity ${one(isJsonObject(identity) ? identity['type'] : identity)}`,
    `scopes ${many(data['scopes'])}`,
    `modules ${many(modules)}`,
  ];
  const line = `an answer in ${time}: ${words.join('; ')}`;
  if (!Array.isArray(data['scopes'])) {
    return notice(line, {
      means:
        'The service does not say which scopes the sign-in has, so Countersign cannot tell what it may do.',
      remedy: 'Send this report to the operator of the service: svc_whoami returns scopes (contract §4.3).',
    });
  }
  if (!Array.isArray(modules) || modules.length > 0) return ok(line);
  return notice(line, {
    means: 'The account has no module, so that no tool shows it anything.',
    remedy: 'Ask the operator which modules this account should have.',
  });
}

function member(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(value) ? value[name] : undefined;
}

const one = (value: JsonValue | undefined): string => listed([value]);
const many = (value: JsonValue | undefined): string => listed(Array.isArray(value) ? value : []);

function numbersOf(value: JsonValue | undefined): number[] {
  if (!Array.isArray(value)) return [];
  return value.filter(
    (item) => typeof item === 'number' && Number.isSafeInteger(item) && item > 0,
  ) as number[];
}

const listTool = 'svc_list_campaigns';

/** Reads every page of the tools that this member sees (contract §4.3), and one row through the tool that lists campaigns. */
export const tools: ExaminationStep = {
  id: 'tools',
  title: 'Tools',
  asks: ({ addresses }) => `POST ${addresses.mcpUrl}/mcp: tools/list, then tools/call ${listTool}`,
  at: ({ addresses }) => addresses.mcpUrl,
  blocked: ({ facts }) =>
    facts.signedIn && facts.remoteOpen ? null : skipped('It needs a remote endpoint that lets us in.'),
  async examine(examination, formats: Formats) {
    try {
      return await look(examination, formats);
    } catch (failure) {
      examination.signal.throwIfAborted();
      if (!(failure instanceof AppError)) throw failure;
      return failed(refusalLine(failure), meaningOfRefusal(failure, 'remote', examination.target));
    }
  },
};

async function look({ remote, signal, timeoutMs, clock }: Examination, formats: Formats): Promise<Finding> {
  const startedAt = clock.monotonicMs();
  const names = (await remote().listTools()).map(({ name }) => name);
  const line = (): string =>
    `${formats.counted(names.length, 'tool')} in ${milliseconds(clock.monotonicMs() - startedAt)}: ${listed(names)}`;
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
