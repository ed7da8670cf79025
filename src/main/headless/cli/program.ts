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
  2  the command was not understood, or needs a terminal
  3  the ledger is broken, or a result file was refused
  4  the service works, and differs from its contract (doctor)
  129, 130, 143  ended by a closed terminal, Ctrl-C or SIGTERM, after closing its files
`;

const verifyResultHelp = `
It proves that a file is as the computer with its key saved it. It does not prove who sat there.
`;

const serveHelp = `
Environment:
  ALLOW_DIRECT_JWT=true  member tokens open the MCP endpoint too
`;

const doctorHelp = `
Environment (never arguments: other users can read command lines):
  COUNTERSIGN_MEMBER_TOKEN   a member token, for the member campaigns
  COUNTERSIGN_PUBLISHER_KEY  a publisher key, for the publisher reports

It only reads: nothing is changed at the service, and nothing is stored here. --sign-in registers Countersign at the service for this run, and revokes its access at the end.
Ends with 0 when nothing failed, with 1 when something did, with 2 when it was not understood, and with 4 when everything works but the service differs from the contract.
`;

const reportHelp = `
Without <url> it reports on Demo. A service's publisher key is taken from the environment, never from an argument, which other users can read:
  COUNTERSIGN_PUBLISHER_KEY

--range: ${rangePresets.join(', ')}
The current day is incomplete; totals and comparisons leave it out, unless it is the whole range.
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

const usualWidth = 80;

function wrapped(text: string): string {
  const width = Math.max(40, process.stdout.columns ?? usualWidth);
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
    .description('Countersign every change to live advertising campaigns, on the Demo profile.')
    .version(installation.version)
    .exitOverride()
    .showHelpAfterError('See `countersign --help`.')
    .addHelpText('after', () => wrapped(exitCodeHelp));
  const commandOf = (name: keyof typeof examples): Command =>
    program
      .command(name, name === 'open' ? { isDefault: true } : {})
      .showHelpAfterError(`See \`countersign ${name} --help\`.`)
      .addHelpText('afterAll', () => examplesText(examples[name]));

  commandOf('open')
    .description('open the app in the browser (default)')
    .addOption(
      dataFolderOption('where the data is kept').default(personalDataFolder(), 'your own data folder'),
    )
    .addOption(campaignsOption())
    .option('--no-open', 'print the address only')
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
    .description('decide on the changes of a sample agent, on a terminal')
    .addOption(dataFolderOption('where the data is kept (default: a temporary folder, removed afterwards)'))
    .action(async (options: DemoOptions) => {
      const { demo } = await import('./commands/demo.ts');
      ended(await demo(options, installation, console));
    });

  commandOf('verify-ledger')
    .description('verify a ledger without any secret')
    .addArgument(new Argument('<file>', 'countersign.sqlite, the data folder that contains it, or an export'))
    .addOption(headOption())
    .option('--json', 'print the report as JSON')
    .action(async (file: string, options: VerifyOptions) => {
      const { verifyLedger } = await import('./commands/verify.ts');
      ended(await verifyLedger(file, options, console));
    });

  commandOf('verify-result')
    .description('verify result files of training without any secret')
    .addArgument(new Argument('<files...>', 'files that were saved on the page Progress of Training'))
    .addOption(keyOption())
    .option('--json', 'print the verdicts as JSON')
    .addHelpText('after', () => wrapped(verifyResultHelp))
    .action(async (files: string[], options: VerifyResultOptions) => {
      const { verifyResult } = await import('./commands/verify.ts');
      ended(await verifyResult(files, options, console));
    });

  commandOf('serve')
    .description('run the embedded service alone, to test against')
    .addOption(
      new Option('--tenant <name>', 'types, bids and switches of this tenant')
        .choices(['northwind', 'meridian'])
        .default('northwind'),
    )
    .addOption(portOption())
    .addOption(campaignsOption())
    .addOption(daysOption())
    .addOption(printCredentialsOption())
    .option('--json', 'print them as JSON, as --print-credentials json does')
    .addOption(
      dataFolderOption('where the data is kept').default(personalDataFolder(), 'your own data folder'),
    )
    .addHelpText('after', () => wrapped(serveHelp))
    .action(async (options: ServeOptions) => {
      nameEarlierData(options.dataFolder, 'serve');
      const { serve } = await import('./commands/serve.ts');
      ended(await serve(options, console));
    });

  commandOf('doctor')
    .description('examine a service, and say how to fix what does not work')
    .addArgument(new Argument('<url>', 'address of the remote tools, without /mcp'))
    .option('--base-url <url>', 'address of the member campaigns (default: <url>/api/v1)')
    .option('--api-url <url>', 'address of the publisher reports (default: <url>)')
    .addOption(sourceOption('--tid <number>', 'source of XML traffic, to examine /xml/stats with'))
    .option('--sign-in', 'sign in through the browser, for this run and in memory only')
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
      new Option('--report <kind>', 'XML traffic, or Search (default: search, xml with --tid)').choices([
        'xml',
        'search',
      ]),
    )
    .addOption(sourceOption('--tid <number>', 'source of XML traffic'))
    .addOption(sourceOption('--sid <number>', 'feed of Search (default: all)'))
    .addOption(new Option('--range <name>', 'days by name (default: last7)').choices([...rangePresets]))
    .option('--from <day>', 'first day, YYYY-MM-DD')
    .option('--to <day>', 'last day, YYYY-MM-DD')
    .option('--group <dimensions>', 'for example date, geo or, of Search, geo,subid', 'date')
    .addOption(
      new Option('--compare <with>', 'compare with other days').choices([...comparisons]).default('none'),
    )
    .addOption(new Option('--format <form>', 'output format').choices([...reportFormats]).default('table'))
    .option('--json', 'print the report as JSON, as --format json does')
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

const answered: ReadonlySet<string> = new Set([
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
    if (failure instanceof CommanderError) return answered.has(failure.code) ? exitCodes.ok : exitCodes.usage;
    return reportFailure(failure, console);
  } finally {
    clearInterval(alive);
  }
}
