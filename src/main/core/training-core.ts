import { composeTraining } from './compose/training.ts';
import { runCoreProcess } from './host-link/index.ts';

// A file of its own, started by the host when a person opens training: nothing that it is told makes a real core of it.
runCoreProcess({ compose: composeTraining });
