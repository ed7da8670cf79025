import { expect, test } from 'vitest';
import { environmentProxies } from '../../../src/main/headless/cli/service-arguments.ts';

const origin = 'https://tools.example.com';

test.each([
  ['no variable', {}, 'DIRECT'],
  ['an address', { HTTPS_PROXY: 'http://proxy.example:8080' }, 'PROXY proxy.example:8080'],
  ['an address without a scheme', { HTTPS_PROXY: 'proxy.example:3128' }, 'PROXY proxy.example:3128'],
  ['the usual port', { HTTPS_PROXY: 'http://proxy.example/' }, 'PROXY proxy.example:80'],
  ['a proxy over TLS', { HTTPS_PROXY: 'https://proxy.example' }, 'HTTPS proxy.example:443'],
  [
    'a proxy with a user name, which is not passed on',
    { HTTPS_PROXY: 'http://me:secret@example.net:8080' },
    'PROXY example.net:8080',
  ],
  ['lower case first', { https_proxy: 'http://low:1', HTTPS_PROXY: 'http://high:2' }, 'PROXY low:1'],
  ['another protocol', { HTTPS_PROXY: 'socks5://proxy.example:1080' }, 'SOCKS proxy.example:1080'],
  ['no address', { HTTPS_PROXY: 'http://' }, 'UNREADABLE'],
  ['the host excepted', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'a.example, tools.example.com' }, 'DIRECT'],
  ['an exception for a parent domain', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '.example.com' }, 'DIRECT'],
  ['everything excepted', { HTTPS_PROXY: 'http://p:1', no_proxy: '*' }, 'DIRECT'],
  ['an exception for another name', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'ample.com' }, 'PROXY p:1'],
])('a terminal with %s uses the right proxy', async (_, environment, rule) => {
  expect(await environmentProxies(environment)(origin)).toBe(rule);
});
