import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { has } from '#test/servers/abilities.ts';
import { requireTool } from '#test/servers/require-tool.ts';
import { addressesIn, tracedCalls } from '#test/servers/traced-addresses.ts';
import { temporaryFolder } from './folder.ts';
import { programOnTerminal } from './process.ts';

const question = 'Type approve or deny: ';

test.runIf(has.linux)(
  'a core that works with an agent connects only to the loopback address, and to no name server',
  async () => {
    const strace = requireTool('strace');
    const folder = temporaryFolder();
    const trace = join(folder, 'trace');
    const demo = programOnTerminal(
      [strace, '--follow-forks', `--trace=${tracedCalls}`, `--output=${trace}`],
      ['demo', '--data-folder', join(folder, 'data')],
    );
    await demo.until(question);
    demo.write('approve\n');
    await demo.until(question, 2);
    demo.write('approve\n');
    await demo.until('Saved and verified.');
    await demo.until(question, 3);
    demo.write('\u0003');
    await demo.ended;
    expect(addressesIn(readFileSync(trace, 'utf8'))).toEqual(['127.0.0.1']);
  },
);

test('the test detects a connection to another computer', () => {
  const lines = [
    '12 connect(5, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("192.0.2.1")}, 16) = 0',
    '12 sendto(5, "x", 1, 0, {sa_family=AF_INET6, inet_pton(AF_INET6, "2001:db8::1", &sin6_addr)}, 28) = 1',
    '12 connect(6, {sa_family=AF_UNIX, sun_path="/run/x"}, 110) = 0',
    '12 sendto(7, "x", 1, MSG_NOSIGNAL, NULL, 0) = 1',
  ];
  expect(addressesIn(lines.join('\n'))).toEqual(['192.0.2.1', '2001:db8::1']);
});
