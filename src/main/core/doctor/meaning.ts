/** What a failure or a notice means, and the one thing to do: a sentence each. */
export interface Meaning {
  means: string;
  remedy: string;
}

/** 421 (contract §7.3). */
export const wrongHost: Meaning = {
  means: 'The service does not answer under this host name: it is no valid, enabled domain of a customer.',
  remedy: 'Use the exact host name that the operator gave you.',
};

/** 503 (contract §4.3, §7.3). */
export const notReady: Meaning = {
  means: 'The service is alive but not ready: something that it depends on is away.',
  remedy: 'Wait until it is ready again; if it stays, tell the operator of the service.',
};
