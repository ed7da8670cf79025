import { Argument, Command, CommanderError, Option } from 'commander';
import { comparisons, rangePresets } from '#shared/reports/index.ts';
import {
  campaignsOption,
  dataFolderOption,
  earlierDataLine,
  daysOption,
  headOption,
  keyOption,
  type OwnData,
  personalDataFolder,
  portOption,
  printCredentialsOption,
  sourceOption,
} from './arguments.ts';
import type { DemoOptions } from './commands/demo.ts';
import type { DoctorOptions } from './commands/doctor.ts';
import type { OpenOptions } from './commands/open.ts';
import type { ServeOptions } from './commands/serve.ts';
import type { VerifyOptions, VerifyResultOptions } from './commands/verify.ts';
import { type Console, processConsole } from './console.ts';
import { exitCodes, reportBrokenOutput, reportFailure } from './failures.ts';
import { findInstallation } from './installation.ts';
import { reportFormats, type ReportOptions } from './report-options.ts';

const exitCodeHelp = `
Exit codes:
  0  done
  1  failed; the message says what to do
  2  unknown command or option, or no terminal
  3  the ledger is broken, or a result file was refused
  4  the service works but differs from the contract (doctor)
  129, 130, 143  stopped by a closed terminal, Ctrl-C or SIGTERM; everything was saved
`;

const verifyResultHelp = `
Proves that a file was not changed after the computer with this key saved it. Does not prove who used the computer.
`;

const serveHelp = `
Environment:
  ALLOW_DIRECT_JWT=true  accept member tokens at the MCP endpoint, too
`;

const doctorHelp = `
Environment (credentials are never arguments, because other users can read those):
  COUNTERSIGN_MEMBER_TOKEN   a member token, for the member campaigns
  COUNTERSIGN_PUBLISHER_KEY  a publisher key, for the publisher reports

Only reads: changes nothing at the service and stores nothing here. --sign-in registers Countersign at the service for this run and revokes its access at the end.
Exit codes: 0 all checks passed, 1 a check failed, 2 unknown option, 4 everything works but the service differs from the contract.
`;

const reportHelp = `
Without <url>, reports on Demo. For a service, put the publisher key into the environment, where other users cannot read it:
  COUNTERSIGN_PUBLISHER_KEY

The current day is incomplete: totals and comparisons exclude it, unless the range is today.
`;

const examples = {
  open: ['countersign', 'countersign open --no-open --json --data ~/try-countersign'],
  demo: ['countersign demo', 'countersign demo --data ~/try-countersign'],
  'verify-ledger': [
    'countersign verify-ledger ledger.jsonl',
    'countersign verify-ledger ~/.local/share/countersign --json',
  ],
  'verify-result': ['countersign verify-result ada.json', 'countersign verify-result *.json --json'],
  serve: ['countersign serve --port 4100', 'countersign serve --tenant meridian --json'],
  doctor: [
    'countersign doctor https://tools.example.com --sign-in',
    'countersign doctor http://127.0.0.1:4100 --tid 7301 --json',
  ],
  report: [
    'countersign report --range last14 --compare weekdays',
    'COUNTERSIGN_PUBLISHER_KEY=… countersign report https://a.example --json',
  ],
} as const satisfies Record<string, readonly [string, string]>;

const examplesText = (lines: readonly string[]): string =>
  `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}\n`;

const defaultWidth = 80;

function wrapped(text: string): string {
  const width = Math.max(40, process.stdout.columns ?? defaultWidth);
  return text
    .trimEnd()
    .split('\n')
    .map((line) => wrappedLine(line, width))
    .join('\n');
}

function wrappedLine(line: string, width: number): string {
  const indent = ' '.repeat((/^ +(?:\S.*? {2,})?/.exec(line)?.[0] ?? '').length);
  const lines: string[] = [];
  let rest = line;
  while (rest.length > width) {
    const at = rest.lastIndexOf(' ', width);
    if (at <= indent.length) break;
    lines.push(rest.slice(0, at));
    rest = indent + rest.slice(at + 1);
  }
  return [...lines, rest].join('\n');
}

/** The command line. Loads a command only when it is used, so that help and error messages appear immediately. */
function createProgram(console: Console, ended: (code: number) => void): Command {
  const installation = findInstallation();
  const nameEarlierData = (folder: string, own: OwnData): void => {
    const line = earlierDataLine(folder, own);
    if (line !== null) console.err(line);
  };
  const program = new Command('countersign')
    .description('Countersign every change to live ad campaigns. On the command line: with demo data.')
    .version(installation.version)
    .exitOverride()
    .configureHelp({ minWidthToWrap: 16 })
    .showHelpAfterError('See `countersign --help`.')
    .addHelpText('after', () => wrapped(exitCodeHelp));
  const commandOf = (name: keyof typeof examples): Command =>
    program
      .command(name, name === 'open' ? { isDefault: true } : {})
      .showHelpAfterError(`See \`countersign ${name} --help\`.`)
      .addHelpText('afterAll', () => examplesText(examples[name]));

  commandOf('open')
    .description('open the app in the browser (default)')
    .addOption(dataFolderOption('data folder').default(personalDataFolder(), 'your personal data folder'))
    .addOption(campaignsOption())
    .option('--no-open', 'only print the address')
    .option('--json', 'print version and address as JSON')
    // The default command also receives unknown commands, which get their own message.
    .allowExcessArguments()
    .action(async (options: OpenOptions, command: Command) => {
      const [unknown] = command.args;
      if (unknown !== undefined) program.error(`error: unknown command '${unknown}'`);
      nameEarlierData(options.dataFolder, 'countersign.sqlite');
      const { open } = await import('./commands/open.ts');
      ended(await open(options, installation, console));
    });

  commandOf('demo')
    .description('review the changes of a sample agent in the terminal')
    .addOption(dataFolderOption('data folder (default: a temporary folder, removed at the end)'))
    .action(async (options: DemoOptions) => {
      const { demo } = await import('./commands/demo.ts');
      ended(await demo(options, installation, console));
    });

  commandOf('verify-ledger')
    .description('verify a ledger file; needs no secret')
    .addArgument(new Argument('<file>', 'countersign.sqlite, the data folder that contains it, or an export'))
    .addOption(headOption())
    .option('--json', 'print the report as JSON')
    .action(async (file: string, options: VerifyOptions) => {
      const { verifyLedger } = await import('./commands/verify.ts');
      ended(await verifyLedger(file, options, console));
    });

  commandOf('verify-result')
    .description('verify result files of training; needs no secret')
    .addArgument(new Argument('<files...>', 'files that were saved on the page Progress of Training'))
    .addOption(keyOption())
    .option('--json', 'print the verdicts as JSON')
    .addHelpText('after', () => wrapped(verifyResultHelp))
    .action(async (files: string[], options: VerifyResultOptions) => {
      const { verifyResult } = await import('./commands/verify.ts');
      ended(await verifyResult(files, options, console));
    });

  commandOf('serve')
    .description('run only the embedded service, for your own tests')
    .addOption(
      new Option('--tenant <name>', 'tenant whose campaign types, bids and switches apply')
        .choices(['northwind', 'meridian'])
        .default('northwind'),
    )
    .addOption(portOption())
    .addOption(campaignsOption())
    .addOption(daysOption())
    .addOption(printCredentialsOption())
    .option('--json', 'like --print-credentials json')
    .addOption(dataFolderOption('data folder').default(personalDataFolder(), 'your personal data folder'))
    .addHelpText('after', () => wrapped(serveHelp))
    .action(async (options: ServeOptions) => {
      nameEarlierData(options.dataFolder, 'serve');
      const { serve } = await import('./commands/serve.ts');
      ended(await serve(options, console));
    });

  commandOf('doctor')
    .description('check a service and explain how to fix problems')
    .addArgument(new Argument('<url>', 'address of the remote tools, without /mcp'))
    .option('--base-url <url>', 'address of the member campaigns (default: <url>/api/v1)')
    .option('--api-url <url>', 'address of the publisher reports (default: <url>)')
    .addOption(sourceOption('--tid <number>', 'source of XML traffic; checks /xml/stats, too'))
    .option('--sign-in', 'sign in through the browser, for this run only')
    .option('--json', 'print the report as JSON')
    .addHelpText('after', () => wrapped(doctorHelp))
    .action(async (url: string, options: DoctorOptions) => {
      const { doctor } = await import('./commands/doctor.ts');
      ended(await doctor(url, options, console));
    });

  addReport(commandOf('report'), console, ended);
  return program;
}

function addReport(command: Command, console: Console, ended: (code: number) => void): void {
  const [key, token, publisherKey] = ['--key', '--token', '--publisher-key'].map((name) =>
    new Option(`${name} <key>`).hideHelp(),
  );
  command
    .description('print a publisher report as a table, CSV or JSON')
    .addArgument(new Argument('[url]', 'address of the publisher reports (default: Demo)'))
    .addOption(
      new Option('--report <kind>', 'XML traffic or Search (default: search; with --tid: xml)').choices([
        'xml',
        'search',
      ]),
    )
    .addOption(sourceOption('--tid <number>', 'source of XML traffic'))
    .addOption(sourceOption('--sid <number>', 'feed of Search (default: all)'))
    .addOption(new Option('--range <name>', 'range of days (default: last7)').choices([...rangePresets]))
    .option('--from <day>', 'first day, YYYY-MM-DD')
    .option('--to <day>', 'last day, YYYY-MM-DD')
    .option('--group <dimensions>', 'group by: date, geo; for Search also geo,subid', 'date')
    .addOption(
      new Option('--compare <with>', 'compare with earlier days').choices([...comparisons]).default('none'),
    )
    .addOption(new Option('--format <form>', 'output format').choices([...reportFormats]).default('table'))
    .option('--json', 'like --format json')
    .option('--zone <name>', 'time zone of the service day', 'UTC')
    .addHelpText('after', () => wrapped(reportHelp))
    .action(async (url: string | undefined, options: ReportOptions) => {
      const { report: print } = await import('./commands/report.ts');
      ended(await print(url, options, console));
    });
  // These options are defined only so that they can be refused with a reason.
  for (const option of [key, token, publisherKey]) if (option !== undefined) command.addOption(option);
}

/** Refuses an unknown command in `help nonsense` and `nonsense --help`, for which commander prints the general help. */
function refuseUnknownCommand(program: Command, [first, second]: readonly string[]): void {
  const name = first === 'help' ? second : first;
  if (name === undefined || name.startsWith('-') || name === 'help') return;
  if (!program.commands.some((command) => command.name() === name))
    program.error(`error: unknown command '${name}'`);
}

const successCodes: ReadonlySet<string> = new Set([
  'commander.help',
  'commander.helpDisplayed',
  'commander.version',
]);

/** Timers of the core do not keep the process alive, so a command that only waits for a timer would end early. */
const aliveMs = 60 * 60_000;

export async function main(args: readonly string[]): Promise<number> {
  const alive = setInterval(() => {}, aliveMs);
  let isBroken = false;
  const console = processConsole((failure) => {
    isBroken = true;
    reportBrokenOutput(failure, console);
  });
  let code: number = exitCodes.ok;
  const program = createProgram(console, (ended) => {
    code = ended;
  });
  try {
    refuseUnknownCommand(program, args);
    await program.parseAsync(args, { from: 'user' });
    return isBroken ? exitCodes.failed : code;
  } catch (failure) {
    // commander also throws for help and version; it has already printed the output.
    if (failure instanceof CommanderError)
      return successCodes.has(failure.code) ? exitCodes.ok : exitCodes.usage;
    return reportFailure(failure, console);
  } finally {
    clearInterval(alive);
  }
}
