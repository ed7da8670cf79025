import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BaseSequencer, type TestSpecification, type Reporter } from 'vitest/node';
import type { ViteUserConfig } from 'vitest/config';
import { reportMark, testsVariable, type TestReport } from './run-tests.ts';

export default async (): Promise<ViteUserConfig> => {
  const root = process.cwd();
  const loaded: unknown = await import(pathToFileURL(join(root, 'vitest.config.ts')).href);
  const { default: config } = loaded as { default: ViteUserConfig };
  const cacheDir = join(root, '.cache');
  const test = { ...config.test, sequence: { sequencer: AsListed }, reporters: [reporter] };
  return { ...config, root, cacheDir, test };
};

const listed = (process.env[testsVariable] ?? '').split('\n');

class AsListed extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId, project }: TestSpecification) =>
      listed.indexOf(moduleId.slice(project.config.root.length + 1));
    return files.toSorted((a, b) => place(a) - place(b));
  }
}

const report = (about: TestReport) => void process.stdout.write(`${reportMark}${JSON.stringify(about)}\n`);

const reporter: Reporter = {
  // A run that stops early may end before the module of the failed test does.
  onTestCaseResult(test) {
    const hasFailed = test.result().state === 'failed';
    report(hasFailed ? { file: test.module.relativeModuleId, failed: test.fullName } : {});
  },
  onTestModuleEnd(module) {
    if (module.state() !== 'failed' || !module.children.allTests('failed').next().done) return;
    report({ file: module.relativeModuleId, failed: 'its set-up' });
  },
  onTestRunEnd(_modules, [error]) {
    if (error) report({ failed: `an error outside of tests: ${error.message.split('\n')[0]}` });
  },
};
