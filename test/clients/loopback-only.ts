/** Environment that makes a Node refuse every address beyond this machine's loopback, as the tests themselves do. */
export const loopbackOnly = {
  NODE_OPTIONS: `--import=${new URL('../setup/refuse-network.ts', import.meta.url).href}`,
};
