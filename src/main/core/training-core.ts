import { composeTraining } from './compose/training.ts';
import { runCoreProcess } from './host-link/index.ts';

// A separate entry file for training: no message can turn this process into a core with real data.
runCoreProcess({ compose: composeTraining });
