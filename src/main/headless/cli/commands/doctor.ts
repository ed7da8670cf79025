import {
  countedSteps,
  whileOpen,
  driftLines,
  examine,
  hasEnded,
  oneTimeTarget,
  silentLogger,
  stepSigns,
  systemClock,
  setSystemNetwork,
} from '#core/public.ts';
import type { DoctorReport, DoctorStep } from '#shared/app-api/index.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import type { Style } from '../../terminal/style.ts';
import { type Console, safeJson } from '../console.ts';
import {
  environmentProxies,
  assertServiceAllowed,
  credentialVariables,
  readAddresses,
  takeCredential,
} from '../service-arguments.ts';
import { exitCodes, listenForStop, signalExitCodes } from '../failures.ts';
import { showAddress } from '../open-in-browser.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

export interface DoctorOptions {
  baseUrl?: string;
  apiUrl?: string;
  tid?: number;
  signIn?: boolean;
  json?: boolean;
}

type Visit = Omit<Parameters<typeof oneTimeTarget>[0], 'signIn'>;

const defaultRequestMs = 15_000;
const personMs = 5 * 60_000;

export async function doctor(url: string, options: DoctorOptions, console: Console): Promise<number> {
  const { visit, faults } = readVisit(url, options);
  if (visit === null) {
    for (const fault of faults) console.err(`error: ${fault}`);
    console.err('See `countersign doctor --help`.');
    return exitCodes.usage;
  }
  assertServiceAllowed(visit.addresses);
  const stop = listenForStop();
  const abort = new AbortController();
  void stop.requested.then(() => abort.abort());
  try {
    const report = await run(visit, options, { console, signal: abort.signal });
    const signal = stop.signal();
    if (signal !== null) return signalExitCodes[signal];
    return exitCodeOf(report);
  } finally {
    stop.dispose();
  }
}

/** A working service that differs from the contract has its own exit code, because a script may want to continue. */
function exitCodeOf({ steps }: DoctorReport): number {
  if (steps.some(({ state }) => state === 'failed')) return exitCodes.failed;
  const drifts = steps.some(({ findings }) => findings.some(({ state }) => state === 'drifts'));
  return drifts ? exitCodes.drift : exitCodes.ok;
}

function readVisit(
  url: string,
  { baseUrl, apiUrl, tid }: DoctorOptions,
): { visit: Visit | null; faults: string[] } {
  const read = readAddresses({
    url,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(apiUrl === undefined ? {} : { apiUrl }),
  });
  const faults = read.kind === 'refused' ? read.faults : [];
  const take = (variable: string): string | null => {
    const given = takeCredential(variable, process.env);
    if (given.kind === 'refused') faults.push(`${variable}: it must be one word of plain letters and signs.`);
    return given.kind === 'given' ? given.value : null;
  };
  const memberToken = take(credentialVariables.memberToken);
  const publisherKey = take(credentialVariables.publisherKey);
  if (read.kind === 'refused' || faults.length > 0) return { visit: null, faults };
  return { visit: { addresses: read.addresses, memberToken, publisherKey, tid }, faults };
}

async function run(
  visit: Visit,
  { signIn = false, json = false }: DoctorOptions,
  { console, signal }: { console: Console; signal: AbortSignal },
): Promise<DoctorReport> {
  const shared = { clock: systemClock, logger: silentLogger, timeoutMs: defaultRequestMs, signal };
  const say = json ? console.err : console.out;
  return whileOpen(async (stack) => {
    stack.use(setSystemNetwork({ proxiesFor: environmentProxies(process.env) }));
    const { target } = stack.use(
      oneTimeTarget({
        ...visit,
        signIn: signIn
          ? { ...shared, personMs, open: (address) => showAddress(address, { say, stack }) }
          : null,
      }),
    );
    const report = await examine(
      { ...shared, target, onProgress: json ? () => {} : printer(console) },
      defaultFormats,
    );
    if (json) console.out(safeJson(report, 2));
    else console.out(`\n${summary(report)}`);
    return report;
  });
}

function printer({ out, style }: Console): (report: DoctorReport) => void {
  const printed = new Set<string>();
  return (report) => {
    for (const step of report.steps) {
      if (!hasEnded(step.state) || printed.has(step.id)) continue;
      printed.add(step.id);
      for (const line of stepLines(step, report, style)) out(line);
    }
  };
}

const maxAnswer = 90;

const margin = ' '.repeat(11);

function stepLines(step: DoctorStep, { steps }: DoctorReport, style: Style): string[] {
  const { state, title, answer, means, remedy, findings } = step;
  if (!hasEnded(state)) return [];
  const width = Math.max(...steps.map((each) => each.title.length));
  const paint = { ok: style.verified, notice: style.warning, failed: style.loss, skipped: style.quiet }[
    state
  ];
  const head = `${paint(stepSigns[state])}  ${title.padEnd(width)}`;
  if (state === 'ok') return [`${head}  ${style.quiet(inertText(shorten(answer)))}`];
  return [
    `${head}  ${state === 'skipped' ? style.quiet(inertText(means ?? '')) : inertText(answer)}`.trimEnd(),
    ...(means === null || state === 'skipped' ? [] : [`${margin}means  ${inertText(means)}`]),
    ...(remedy === null ? [] : [`${margin}do     ${inertText(remedy)}`]),
    ...driftLines(findings, defaultFormats).map((line) => `${margin}drift  ${inertText(line)}`),
  ];
}

function summary({ steps }: DoctorReport): string {
  return `${countedSteps(steps)}.`;
}

function shorten(text: string): string {
  const points = [...text];
  return points.length <= maxAnswer ? text : `${points.slice(0, maxAnswer - 1).join('')}…`;
}
