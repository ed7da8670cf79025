import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { fetchPinnedPackage } from './fetch-pinned-package.ts';
import { type ElectronRuntime, testRuntimeFolder } from './find-electron.ts';
import { canInstallPackages, installPackages } from './install-packages.ts';
import { projectRoot } from './run-tool.ts';

export interface TestBinding {
  file: string;
  /** True if it is the released binary, not a binary built only for tests. */
  isReleased: boolean;
}

const betterSqlite3 = join(projectRoot, 'node_modules/better-sqlite3');
const released = join(betterSqlite3, 'prebuilds', `${process.platform}-${process.arch}.node`);

/** Changes that a runtime needs if its Node-API is too old for the released binary. */
const patch = join(projectRoot, 'scripts/lib/test-binding/node-api-9.patch');
const headers = {
  name: 'node-api-headers@1.9.0',
  integrity:
    'sha512-2oNILP4jXwRB4ywnYKjVk1YyJ96n2D4EOVJO6S3oYZ5PtbJrw3Yt9TpAuX3nBLMuzn74rnfGQrv13pS9vC+YiA==',
};

const forBoth = '-O2 -fPIC -w -DNDEBUG -D_FILE_OFFSET_BITS=64'.split(' ');
const forSqlite = '-std=c99'.split(' ');
const forBinding = (
  '-std=c++20 -fvisibility=hidden -fvisibility-inlines-hidden -DNAPI_VERSION=9 -DNAPI_DISABLE_CPP_EXCEPTIONS ' +
  '-DNODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS -DNODE_GYP_MODULE_NAME=better_sqlite3'
).split(' ');
/** Links statically, so that the binary needs no more of a system than the released binary does. */
const forLink = '-shared -s -static-libstdc++ -static-libgcc -Wl,-Bsymbolic -Wl,--exclude-libs,ALL'.split(
  ' ',
);

const run = promisify(execFile);

export function findTestBinding(runtime: ElectronRuntime): TestBinding | null {
  if (loads(released, runtime)) return { file: released, isReleased: true };
  const built = builtFile();
  return existsSync(built) && loads(built, runtime) ? { file: built, isReleased: false } : null;
}

export async function prepareTestBinding(
  runtime: ElectronRuntime,
  say: (line: string) => void,
): Promise<TestBinding | null> {
  const found = findTestBinding(runtime) ?? (await build(runtime));
  const words =
    typeof found === 'string' ? `none: ${found}` : found.isReleased ? 'the released one' : found.file;
  say(`  binding of better-sqlite3 for Electron ${runtime.version}: ${words}`);
  return typeof found === 'string' ? null : found;
}

/** Loads the file in another process, in the temporary folder: a binary that does not fit crashes and may leave a core dump. */
function loads(file: string, { executable }: ElectronRuntime): boolean {
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
  const args = ['-e', `require(${JSON.stringify(file)})`];
  return spawnSync(executable, args, { cwd: tmpdir(), env, stdio: 'ignore', timeout: 20_000 }).status === 0;
}

function builtFile(): string {
  const { version } = JSON.parse(readFileSync(join(betterSqlite3, 'package.json'), 'utf8')) as {
    version: string;
  };
  const hash = createHash('sha256').update(version).update(headers.name).update(readFileSync(patch));
  for (const flags of [forBoth, forSqlite, forBinding, forLink]) hash.update(flags.join(' '));
  const name = `better-sqlite3-${version}-${process.arch}-${hash.digest('hex').slice(0, 12)}.node`;
  return join(dirname(testRuntimeFolder()), name);
}

async function build(runtime: ElectronRuntime): Promise<TestBinding | string> {
  if (process.platform !== 'linux') return 'one for an older Electron is built on Linux only';
  const file = builtFile();
  const work = mkdtempSync(join(tmpdir(), 'countersign-binding-'));
  try {
    if (!(await hasCompiler()) && canInstallPackages()) await installPackages(['g++']);
    await compile(work);
    mkdirSync(dirname(file), { recursive: true });
    // Uses a rename, so that an existing file is always complete.
    cpSync(join(work, 'built.node'), `${file}.${process.pid}`);
    renameSync(`${file}.${process.pid}`, file);
  } catch (error) {
    return (error instanceof Error ? error.message : String(error)).trim().split('\n')[0] ?? '';
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return loads(file, runtime) ? { file, isReleased: false } : 'the one that was built does not load';
}

const hasCompiler = (): Promise<boolean> =>
  run('g++', ['--version']).then(
    () => true,
    () => false,
  );

async function compile(folder: string): Promise<void> {
  cpSync(join(betterSqlite3, 'src'), join(folder, 'src'), { recursive: true });
  // Prevents git from finding a repository around the folder.
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: dirname(folder) };
  await run('git', ['apply', '-p1', patch], { cwd: folder, env });
  await run('tar', ['-xzf', await fetchPinnedPackage(headers, folder)], { cwd: folder });

  const sqlite = join(betterSqlite3, 'deps/sqlite3');
  const includes = [
    sqlite,
    join(projectRoot, 'node_modules/node-addon-api'),
    join(folder, 'package/include'),
  ];
  await Promise.all([
    run('gcc', [...forBoth, ...forSqlite, ...sqliteOptions(), '-c', join(sqlite, 'sqlite3.c')], {
      cwd: folder,
    }),
    run(
      'g++',
      [...forBoth, ...forBinding, ...includes.map((path) => `-I${path}`), '-c', 'src/better_sqlite3.cpp'],
      {
        cwd: folder,
      },
    ),
  ]);
  const parts = ['better_sqlite3.o', 'sqlite3.o', '-lpthread', '-ldl', '-lm'];
  await run('g++', [...forLink, '-o', 'built.node', ...parts], { cwd: folder });
}

function sqliteOptions(): string[] {
  const text = readFileSync(join(betterSqlite3, 'deps/defines.gypi'), 'utf8');
  return [...text.matchAll(/^\s+'([A-Z\d_]+(?:=\S+)?)',$/gm)].map((match) => `-D${match[1]}`);
}
