import { CommanderError } from 'commander';
import { processConsole } from './console.ts';
import { exitCodes } from './exit-codes.ts';
import { createProgram } from './program.ts';
import { reportFailure } from './report-failure.ts';

/** Runs one command to its end and gives the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const console = processConsole();
  let code: number = exitCodes.ok;
  const program = createProgram(console, (ended) => {
    code = ended;
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (failure) {
    // Help and version end this way too, with 0; commander has already printed what there is to say.
    if (failure instanceof CommanderError) return failure.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    return reportFailure(failure, console);
  }
}
