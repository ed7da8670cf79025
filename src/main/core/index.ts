import { runCoreProcess } from './host-link/index.ts';

// Everything that a core needs is loaded by now: the host starts this process before it has the data key.
runCoreProcess({ overrides: { offersFirstStart: true } });
