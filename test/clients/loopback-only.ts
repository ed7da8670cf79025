/**
 * Environment that makes a Node process refuse every address outside this machine's loopback interface, as the tests
 * themselves do.
 */
export const loopbackOnly = {
  NODE_OPTIONS: `--import=${new URL('../setup/refuse-network.ts', import.meta.url).href}`,
};
