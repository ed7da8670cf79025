import { execFileSync } from 'node:child_process';
import { AppError } from '#shared/errors/index.ts';

/** Runs a PowerShell command with variables of its environment; returns what it prints. Throws if it cannot run or fails. */
export type RunPowerShell = (command: string, variables: Readonly<Record<string, string>>) => string;

/** The file comes by a variable, so that no path is ever part of a command. 0 is `Valid`. */
const command = `
[Console]::OutputEncoding = [Text.Encoding]::UTF8
$signature = Get-AuthenticodeSignature -LiteralPath $env:COUNTERSIGN_UPDATE
$certificate = $signature.SignerCertificate
$name = if ($certificate) { $certificate.GetNameInfo('SimpleName', $false) } else { '' }
@{ status = [int]$signature.Status; publisher = $name } | ConvertTo-Json -Compress
`;

/**
 * Passes if Windows holds the Authenticode signature of an installer for valid and its certificate names this publisher. Fails with
 * `update_publisher_wrong` in every other case, also if the signature cannot be read: electron-updater's own check lets a file pass
 * then.
 */
export function assertWindowsPublisher(
  path: string,
  publisher: string,
  run: RunPowerShell = runPowerShell,
): void {
  const found = signatureOf(path, run);
  if (found.status === 0 && found.publisher === publisher && publisher !== '') return;
  throw new AppError('update_publisher_wrong', {
    data: { status: typeof found.status === 'number' ? found.status : null },
  });
}

function signatureOf(path: string, run: RunPowerShell): { status: unknown; publisher: unknown } {
  try {
    const found: unknown = JSON.parse(run(command, { COUNTERSIGN_UPDATE: path }));
    if (typeof found === 'object' && found !== null && 'status' in found && 'publisher' in found)
      return found;
    return { status: null, publisher: null };
  } catch (cause) {
    throw new AppError('update_publisher_wrong', { cause });
  }
}

/** A module path of another PowerShell would keep the command from loading. */
function runPowerShell(text: string, variables: Readonly<Record<string, string>>): string {
  const root = process.env['SystemRoot'] ?? 'C:\\Windows';
  return execFileSync(
    `${root}\\System32\\WindowsPowerShell\\v1.0\\powershell.exe`,
    ['-NoProfile', '-NonInteractive', '-Command', text],
    {
      env: { ...process.env, PSModulePath: '', ...variables },
      timeout: 20_000,
      encoding: 'utf8',
      windowsHide: true,
    },
  );
}
