import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createBackend,
  createIds,
  createPublisherClient,
  DisposableStack,
  explainPublisherRefusal,
  makeTemporary,
  readWholeReport,
  silentLogger,
  systemClock,
  setSystemNetwork,
  removeTemporary,
  whyNoRoom,
} from '#core/public.ts';
import type { ReportSource } from '#shared/app-api/index.ts';
import { serviceDay } from '#shared/campaign/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import { comparedRange, daysIn, resolveRange } from '#shared/reports/index.ts';
import type { Console } from '../console.ts';
import {
  environmentProxies,
  assertServiceAllowed,
  credentialVariables,
  readAddresses,
  takeCredential,
} from '../service-arguments.ts';
import { exitCodes, listenForStop, signalExitCodes } from '../failures.ts';
import { printReport } from '../print-report.ts';
import {
  hasKeyInArguments,
  readReportOptions,
  type AskedReport,
  type ReportOptions,
} from '../report-options.ts';
import { ownWords, quotedUpTo, sentence } from '#shared/lib/sentence.ts';

const defaultRequestMs = 15_000;

interface Publisher {
  name: string;
  apiUrl: string;
  key: string;
  firstTid: number | null;
}

export async function report(
  url: string | undefined,
  options: ReportOptions,
  console: Console,
): Promise<number> {
  const refuse = (faults: readonly string[]): number => {
    for (const fault of faults) console.err(`error: ${fault}`);
    console.err('See `countersign report --help`.');
    return exitCodes.usage;
  };
  const { publisherKey: variable } = credentialVariables;
  if (hasKeyInArguments(url, options)) {
    return refuse([
      `Other users can read a key on the command line. Put it into the environment as ${variable}, and have this one revoked.`,
    ]);
  }
  const format = options.json === true ? 'json' : options.format;
  const read = readReportOptions(options, { isDemo: url === undefined });
  const faults = read.kind === 'refused' ? read.faults : [];
  const service = url === undefined ? null : serviceAt(url, faults);
  if (read.kind === 'refused' || faults.length > 0) return refuse(faults);

  const stop = listenForStop();
  const abort = new AbortController();
  void stop.requested.then(() => abort.abort());
  const stack = new DisposableStack();
  stack.use(setSystemNetwork({ proxiesFor: environmentProxies(process.env) }));
  try {
    const publisher = service ?? (await openDemo(read.asked, { options, stack }));
    const unknown = await printFrom(publisher, read.asked, {
      options: { ...options, format },
      console,
      signal: abort.signal,
    });
    return unknown === null ? exitCodes.ok : refuse([unknown]);
  } catch (failure) {
    const signal = stop.signal();
    if (signal !== null) return signalExitCodes[signal];
    if (service === null) throw fullTemporaryFolder(failure) ?? failure;
    if (!(failure instanceof AppError)) throw failure;
    const { line, remedy } = explainPublisherRefusal(failure, service.apiUrl);
    console.err(`countersign: ${inertText(line)}`);
    console.err(inertText(remedy));
    return exitCodes.failed;
  } finally {
    await stack.dispose();
    stop.dispose();
  }
}

async function printFrom(
  { name, apiUrl, key, firstTid }: Publisher,
  { source: asked, query }: AskedReport,
  { options, console, signal }: { options: ReportOptions; console: Console; signal: AbortSignal },
): Promise<string | null> {
  const source: ReportSource =
    asked.kind === 'xml' ? { kind: 'xml', tid: asked.tid ?? firstTid ?? 0 } : asked;
  const shared = { logger: silentLogger, clock: systemClock };
  const client = createPublisherClient({
    apiUrl,
    token: async () => key,
    timeoutMs: defaultRequestMs,
    logger: silentLogger,
    pauses: { clock: systemClock, random: Math.random },
  });
  const whole = await readWholeReport({
    ...shared,
    client,
    query: { ...query, source },
    zone: options.zone,
    signal,
  });
  const unknown = query.levels.filter((level) => !whole.dimensions.includes(level));
  if (unknown.length > 0 && whole.rows.length > 0) {
    const [named, known] = [unknown, whole.dimensions].map((names) => inertText(names.join(', ')));
    return `--group: this report has no ${named}. Its dimensions are ${known}.`;
  }
  printReport({ report: whole, service: name, source, levels: query.levels }, options.format, console);
  return null;
}

function serviceAt(url: string, faults: string[]): Publisher | null {
  const read = readAddresses({ url });
  if (read.kind === 'refused') faults.push(...read.faults);
  const { publisherKey: variable } = credentialVariables;
  const given = takeCredential(variable, process.env);
  if (given.kind === 'missing')
    faults.push(`${variable}: the publisher key of this service is not in the environment.`);
  if (given.kind === 'refused') faults.push(`${variable}: it must be one word of plain letters and signs.`);
  if (read.kind === 'refused' || given.kind !== 'given') return null;
  assertServiceAllowed(read.addresses);
  const { apiUrl } = read.addresses;
  return { name: apiUrl, apiUrl, key: given.value, firstTid: null };
}

async function openDemo(
  { query }: AskedReport,
  { options, stack }: { options: ReportOptions; stack: DisposableStack },
): Promise<Publisher> {
  const folder = makeTemporary('countersign-report-');
  stack.defer(async () => removeTemporary(folder));
  const backend = stack.use(
    createBackend({
      tenant: 'northwind',
      port: 0,
      campaigns: 1,
      days: daysNeeded(query, options.zone),
      consent: { kind: 'answered', clients: [], answer: () => ({ kind: 'denied' }) },
      file: join(folder, 'backend.sqlite'),
      clock: systemClock,
      ids: createIds(() => systemClock.nowMs()),
      logger: silentLogger,
    }),
  );
  const { apiUrl } = await backend.listen();
  const [key] = backend.issueDemoCredentials().accounts.publisher.publisherKeys;
  if (key === undefined) throw new AppError('credential_missing');
  return { name: 'Demo', apiUrl, key: key.key, firstTid: key.tids[0] ?? null };
}

/** The failure for a full temporary folder, in which the Demo service only reports that it is not ready. Null if there is space. */
function fullTemporaryFolder(failure: unknown): AppError | null {
  if (!(failure instanceof AppError) || failure.code !== 'service_unavailable') return null;
  const full = whyNoRoom(tmpdir());
  return (
    full &&
    new AppError(full.code, {
      message: sentence`The temporary folder ${quotedUpTo(tmpdir(), 300)}: ${ownWords(full.message)}`,
    })
  );
}

const maxDemoDays = 400;

/** Every day of Demo is the same on each installation, so only the requested days have to be generated. */
function daysNeeded({ range: asked, comparison }: AskedReport['query'], zone: string): number {
  const today = serviceDay(systemClock.nowMs(), zone).date;
  const range = resolveRange(asked, today);
  const { from } = comparedRange(range, comparison) ?? range;
  return Math.min(maxDemoDays, Math.max(2, daysIn({ from, to: today }) + 1));
}
