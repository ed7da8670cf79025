/**
 * The entry of a packaged app that tests drive: the product's own start with nothing replaced, and an endpoint for the driver. The
 * product refuses the switches that a driver comes with, and the fuses take the debugger's away; so they are taken off the
 * command line here and, when the start has looked at it, opened from inside. No package that ships has this file.
 */
import '../electron/wait-for-driver.cjs';
import { open } from 'node:inspector';
import { app } from 'electron';
import { startDesktop, systemParts } from '#electron/start-desktop.ts';

const { commandLine } = app;
const isDriven = commandLine.hasSwitch('inspect');
const isLookedInto = commandLine.hasSwitch('remote-debugging-port');
for (const name of ['inspect', 'remote-debugging-port']) commandLine.removeSwitch(name);
if (isDriven) open(0);
startDesktop(systemParts());
if (isLookedInto) commandLine.appendSwitch('remote-debugging-port', '0');
