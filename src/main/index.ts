import { startDesktop, systemParts } from './electron/index.ts';

startDesktop(systemParts());
