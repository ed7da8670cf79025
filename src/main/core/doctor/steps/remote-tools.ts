import { AppError } from '#shared/errors/index.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';
import { askForModules, toolRefusal } from '../answers/refusals.ts';
import { listed, milliseconds } from '../answers/ask.ts';
import { sendReport } from '../answers/no-answer.ts';
import { type OwnWords, ownWords, type Sentence, sentence } from '#shared/lib/sentence.ts';
import { type Examination, failed, type Finding, notice, ok, skipped, type ExaminationStep } from './step.ts';

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
    return describe(result, time, examination);
  },
};

function describe(result: JsonObject, time: OwnWords, { facts }: Examination): Finding {
  const content = member(result, 'structuredContent');
  const data = member(content, 'data');
  if (!isJsonObject(data)) {
    return failed(sentence`an answer in ${time} without its data`, {
      means: sentence`The tool gave no structured content of the form {status, data} (contract §2.7).`,
      remedy: sendReport,
    });
  }
  if (facts.tids.length === 0) facts.tids = numbersOf(member(member(data, 'sources'), 'tids'));
  const identity = member(data, 'identity');
  const modules = data['modules'];
  const type = isJsonObject(identity) ? identity['type'] : identity;
  const line = sentence`an answer in ${time}: tenant ${one(data['tenant'])}; identity ${one(type)}; scopes ${many(data['scopes'])}; modules ${many(modules)}`;
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

function member(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(value) ? value[name] : undefined;
}

const one = (value: JsonValue | undefined): OwnWords => listed([value]);
const many = (value: JsonValue | undefined): OwnWords => listed(Array.isArray(value) ? value : []);

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
