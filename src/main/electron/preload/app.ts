import { exposeApp } from './expose-app.ts';

exposeApp('work');
