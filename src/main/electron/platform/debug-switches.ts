/** Switches of Chromium and Node that would let another program press buttons or read pages in this program. */
const refused = `
  remote-debugging-port remote-debugging-pipe remote-allow-origins inspect inspect-brk no-sandbox
  disable-gpu-sandbox disable-namespace-sandbox disable-seccomp-filter-sandbox disable-setuid-sandbox
  single-process browser-subprocess-path gpu-launcher renderer-cmd-prefix utility-cmd-prefix
  zygote-cmd-prefix disable-web-security load-extension`
  .trim()
  .split(/\s+/);

export function refusedSwitch(commandLine: { hasSwitch(name: string): boolean }): string | null {
  return refused.find((name) => commandLine.hasSwitch(name)) ?? null;
}
