import { runCoreProcess } from './host-link/index.ts';

// All that a start needs is loaded by now: the host starts this process before it has the data key.
runCoreProcess({ overrides: { offersFirstStart: true } });
