import { runCoreProcess } from './host-link/index.ts';

// The imports above loaded all that a start needs: the host starts this process before it has the data key.
runCoreProcess({ overrides: { offersFirstStart: true } });
